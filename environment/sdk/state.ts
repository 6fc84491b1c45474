/** The SDK's model registry, as far as it is touched. Its maps are private by type only; without them nothing is restored. */
interface ModelRegistry {
  readonly llmRegistryDict?: Map<unknown, unknown>;
  readonly resolveCache?: { readonly cache?: Map<unknown, unknown> };
}

interface AdkModule {
  readonly LLMRegistry?: ModelRegistry;
  readonly getLogger?: () => object;
  readonly setLogger?: (logger: unknown) => void;
}

interface ZodModule {
  readonly globalRegistry?: { readonly _idmap?: Map<unknown, unknown> };
  readonly config?: () => Record<string, unknown>;
}

/**
 * State that the shared modules keep for the whole process. It is noted when a test file first sees a module, and put back after the
 * file: models registered, logger and log level, zod's configuration and the ids in its registry.
 */
export class SdkState {
  readonly #undo = new Map<object, () => void>();

  /** Notes the state of a module, once per file. */
  remember(module: object): void {
    if (this.#undo.has(module)) return;
    const undo = [...adkState(module), ...zodState(module)];
    this.#undo.set(module, () => undo.forEach((one) => one()));
  }

  restore(): void {
    for (const undo of this.#undo.values()) undo();
    this.#undo.clear();
  }
}

function adkState({ LLMRegistry, getLogger, setLogger }: AdkModule): (() => void)[] {
  const maps = [LLMRegistry?.llmRegistryDict, LLMRegistry?.resolveCache?.cache];
  const undo = maps.map(restoreMap);
  if (getLogger !== undefined && setLogger !== undefined) {
    const logger = getLogger();
    const fields = { ...logger };
    undo.push(() => setLogger(Object.assign(logger, fields)));
  }
  return undo;
}

function zodState({ globalRegistry, config }: ZodModule): (() => void)[] {
  const undo = [restoreMap(globalRegistry?._idmap)];
  if (typeof config === 'function' && globalRegistry !== undefined) {
    const live = config();
    const before = { ...live };
    undo.push(() => {
      for (const key of Object.keys(live)) if (!(key in before)) delete live[key];
      Object.assign(live, before);
    });
  }
  return undo;
}

function restoreMap(map: unknown): () => void {
  // Maps of the outer realm: these modules are loaded natively.
  if (!(map instanceof Map)) return () => undefined;
  const before = [...(map as Map<unknown, unknown>)];
  return () => {
    map.clear();
    for (const [key, value] of before) map.set(key, value);
  };
}
