/** Which room may import which. Type imports count: a type is a dependency too. */

/** Low to high: a room imports itself and the rooms before it. */
const rooms = ['support', 'schema', 'evalset', 'config', 'target', 'judge', 'simulation', 'inference', 'session', 'metrics', 'results', 'evaluation', 'report', 'cli'];

const upwards = rooms.slice(0, -1).map((room, index) => ({
  name: `${room}-imports-upwards`,
  comment: `src/${room} may import only itself and ${rooms.slice(0, index).map((name) => `src/${name}`).join(', ') || 'no other room'}.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: `^src/(${rooms.slice(index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...upwards,
    {
      name: 'unknown-room',
      comment: `A folder of src/ is one of the rooms: ${rooms.join(', ')}. A new room gets its place in .dependency-cruiser.cjs and docs/architecture.md.`,
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/(${rooms.join('|')})/` },
    },
    {
      name: 'core-knows-jest-surface',
      comment: 'src/ is the core: it never imports the Jest surface.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(environment|matchers|index\\.ts)' },
    },
    {
      name: 'rooms-import-the-entry',
      comment: 'src/index.ts collects what is published; rooms import each other directly.',
      severity: 'error',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/index\\.ts$' },
    },
    {
      name: 'imports-the-sdk',
      comment: 'The SDK is the copy that belongs to the agent and is handed in; importing it here would load another one.',
      severity: 'error',
      from: { path: '^(src|environment|matchers|index\\.ts)' },
      to: { path: '(^|node_modules/)(@google/(adk|genai)|zod)(/|$)' },
    },
    {
      name: 'typebox-at-run-time',
      comment: 'Schemas are made in the build; the schema library is no dependency of the package.',
      severity: 'error',
      from: { path: '^(src|environment|matchers|index\\.ts)', pathNot: '^src/schema/' },
      to: { path: '@sinclair/typebox' },
    },
    {
      name: 'tests-in-the-product',
      severity: 'error',
      from: { path: '^(src|environment|matchers|index\\.ts)' },
      to: { path: '^(__tests__|bench|examples|scripts)/' },
    },
    { name: 'cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'orphan',
      comment: 'A module that nobody imports: wire it or delete it.',
      severity: 'error',
      from: { orphan: true, path: '^(src|environment|matchers)/', pathNot: ['\\.d\\.ts$', '^src/[^/]+/types\\.ts$'] },
      to: {},
    },
    { name: 'unresolvable', severity: 'error', from: { path: '^(src|environment|matchers|index\\.ts)' }, to: { couldNotResolve: true, pathNot: 'schemas/[a-z-]+\\.json$' } },
    {
      name: 'not-declared',
      comment: 'Not in dependencies or peerDependencies: an installed package could not find it. (Jest itself makes `@jest/globals` in every test file.)',
      severity: 'error',
      from: { path: '^(src|environment|matchers|index\\.ts)', pathNot: '^src/schema/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'], pathNot: '@jest/globals' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules/@types)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
