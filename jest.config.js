/** The project's own tests. Sources are compiled file by file; `npm run lint` checks their types. */
const esmOnly = ['p-queue', 'p-timeout', 'eventemitter3', 'toml-eslint-parser', 'got'].join('|');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/__tests__/fixtures/'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/__tests__/fixtures/', '<rootDir>/examples/'],
  // Schemas are emitted by the build; the sources' own tests take them from where they are written.
  moduleNameMapper: { '/schemas/model\\.json$': '<rootDir>/src/schema/source/index.ts' },
  transform: {
    '^.+\\.ts$': ['ts-jest', { diagnostics: false }],
    [`node_modules/(${esmOnly})/.+\\.m?js$`]: [
      'ts-jest',
      { diagnostics: false, tsconfig: { allowJs: true, module: 'commonjs', moduleResolution: 'node10', target: 'es2022', isolatedModules: true } },
    ],
  },
  transformIgnorePatterns: [`node_modules/(?!(${esmOnly})/)`],
};
