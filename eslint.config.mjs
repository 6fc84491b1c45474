// The rules that a reader cannot check by eye; layout is nobody's business here.
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';

const published = ['index.ts', 'src/**/*.ts', 'environment/**/*.ts', 'matchers/**/*.ts'];

/** Exported things whose name does not say it all. Interfaces of a few lines and re-exports are covered by their members' comments. */
const documented = {
  'jsdoc/require-jsdoc': [
    'error',
    {
      publicOnly: { ancestorsOnly: true, esm: true, cjs: true, window: false },
      require: { FunctionDeclaration: true, ClassDeclaration: true, ArrowFunctionExpression: true, FunctionExpression: true },
      contexts: ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ExportNamedDeclaration > VariableDeclaration'],
      checkConstructors: false,
      enableFixer: false,
    },
  ],
  // A parameter whose name and type say it all needs no line of its own.
  'jsdoc/check-param-names': ['error', { disableMissingParamChecks: true, checkDestructured: false }],
  'jsdoc/check-tag-names': ['error', { definedTags: ['internal', 'example', 'jest-environment'] }],
  'jsdoc/no-types': 'error',
  'jsdoc/require-description': ['error', { contexts: ['FunctionDeclaration', 'ClassDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'] }],
};

export default tseslint.config(
  { ignores: ['**/node_modules/', '**/dist/', 'dist.next/', 'coverage/', '__tests__/fixtures/', 'examples/*/node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['tstyche.config.ts'] }, tsconfigRootDir: import.meta.dirname } },
  },
  {
    files: published,
    plugins: { jsdoc },
    rules: {
      ...documented,
      eqeqeq: 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-param-reassign': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'max-depth': ['error', 4],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 25],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['__tests__/**/*.ts'],
    rules: {
      'prefer-const': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
    },
  },
  { files: ['**/*.{js,mjs,cjs}'], rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'no-undef': 'off', 'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }] } },
);
