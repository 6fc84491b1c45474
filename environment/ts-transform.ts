/**
 * Transform of the presets for TypeScript: hands everything to the project's own ts-jest, or to babel-jest where the project has
 * Babel's TypeScript preset. Which of them is decided when the first file comes, since a preset does not know its project.
 */
import { refusal } from '../src/support/errors';
import { resolveFromJest, resolveFromProject } from './jest-packages';

/** Options of the transform, given in the preset. */
export interface TypeScriptOptions {
  /** `ts-jest`: nothing else will do. */
  readonly use?: 'ts-jest';
  /** Options of ts-jest, as in its own presets. */
  readonly tsJest?: Readonly<Record<string, unknown>>;
}

interface TransformOptions {
  readonly config: { readonly rootDir: string };
  readonly instrument?: boolean;
}

/** Jest's transformer, as far as it is used. */
interface Transformer {
  process(text: string, path: string, options: TransformOptions): unknown;
  processAsync?(text: string, path: string, options: TransformOptions): Promise<unknown>;
  getCacheKey?(text: string, path: string, options: TransformOptions): string;
  getCacheKeyAsync?(text: string, path: string, options: TransformOptions): Promise<string>;
}

interface TransformerFactory {
  createTransformer(options: object): Transformer;
}

/** Called by Jest, once per worker. */
function createTransformer(options: TypeScriptOptions = {}): Transformer {
  const chosen = new Map<string, Transformer>();
  const choose = ({ config: { rootDir } }: TransformOptions, path: string): Transformer => {
    let transformer = chosen.get(rootDir);
    if (transformer === undefined) chosen.set(rootDir, (transformer = transformerFor(rootDir, options, path)));
    return transformer;
  };
  return {
    process: (text, path, given) => choose(given, path).process(text, path, given),
    processAsync: async (text, path, given) => {
      const transformer = choose(given, path);
      return transformer.processAsync === undefined ? transformer.process(text, path, given) : transformer.processAsync(text, path, given);
    },
    getCacheKey: (text, path, given) => choose(given, path).getCacheKey?.(text, path, given) ?? `${path}\0${text}`,
    getCacheKeyAsync: async (text, path, given) => {
      const transformer = choose(given, path);
      return transformer.getCacheKeyAsync?.(text, path, given) ?? transformer.getCacheKey?.(text, path, given) ?? `${path}\0${text}`;
    },
  };
}

function transformerFor(rootDir: string, { use, tsJest = {} }: TypeScriptOptions, path: string): Transformer {
  const found = resolveFromProject('ts-jest', rootDir);
  // useESM only takes effect for files that Jest itself loads as ES modules.
  if (found !== undefined) return factory(found).createTransformer({ useESM: true, ...tsJest });
  if (use === undefined && resolveFromProject('@babel/preset-typescript', rootDir) !== undefined) {
    const babel = factory(resolveFromJest('babel-jest', rootDir)).createTransformer({});
    // Jest instruments by itself what a transformer that does not say otherwise returns.
    return { ...babel, process: (text, file, given) => babel.process(text, file, { ...given, instrument: false }) };
  }
  throw refusal(
    'no_typescript_transform',
    `Nothing in ${rootDir} compiles TypeScript for Jest, so ${path} cannot be run.`,
    use === undefined
      ? 'Install ts-jest with a TypeScript that it supports (npm install --save-dev ts-jest typescript@~5.9), or name a transform of your own in Jest\'s config (@swc/jest; babel-jest with @babel/preset-typescript). For tests in JavaScript alone there is the preset "jest-adk/js".'
      : 'The preset "jest-adk/ts" needs ts-jest with a TypeScript that it supports: npm install --save-dev ts-jest typescript@~5.9.',
  );
}

function factory(file: string): TransformerFactory {
  const module = require(file) as TransformerFactory | { default: TransformerFactory };
  return 'createTransformer' in module ? module : module.default;
}

export default { createTransformer };
