/**
 * The shared SDK asks `instanceof Error` and `instanceof RegExp` of things that test files made: a tool that throws, the pattern of a
 * registered model. Behind the sandbox's prototypes stand ours, so that the answers are those of plain Node.
 */
export function mendPrototypes(global: typeof globalThis): void {
  Object.setPrototypeOf(global.Error.prototype, Error.prototype);
  Object.setPrototypeOf(global.RegExp.prototype, RegExp.prototype);
}

type Env = Record<string, string | undefined>;

/**
 * Keeps the process in step with one sandbox, for code of the outer realm. Jest gives each test file a copy of `process.env`; the
 * shared SDK reads the real one. What a file sets is set there too while the file runs, and undone after it. The same goes for a
 * `fetch` that a file puts in place of the real one.
 */
export class SandboxWorld {
  readonly #before = new Map<string, string | undefined>();
  readonly #global: typeof globalThis;
  readonly #sandboxFetch: unknown;
  #outerFetch: typeof fetch | undefined;
  #env: Env;

  constructor(global: typeof globalThis) {
    this.#global = global;
    this.#sandboxFetch = global.fetch;
    this.#env = global.process.env;
    for (const name of new Set([...Object.keys(this.#env), ...Object.keys(process.env)])) if (this.#env[name] !== process.env[name]) this.#mirror(name, this.#env[name]);
    // One object for all who keep `process.env`, and a setter for those who replace it.
    let follower = this.#follow(this.#env);
    Object.defineProperty(global.process, 'env', {
      configurable: true,
      enumerable: true,
      get: () => follower,
      set: (next: Env) => {
        for (const name of Object.keys(this.#env)) if (!(name in next)) this.#mirror(name, undefined);
        for (const [name, value] of Object.entries(next)) if (this.#env[name] !== value) this.#mirror(name, value);
        this.#env = next;
        follower = this.#follow(next);
      },
    });
  }

  /** Called when the SDK is loaded: from now on its requests go through the test file's `fetch`, if that was replaced. */
  connect(): void {
    if (this.#outerFetch !== undefined || typeof globalThis.fetch !== 'function') return;
    const outer = (this.#outerFetch = globalThis.fetch);
    globalThis.fetch = (...args: Parameters<typeof fetch>) => {
      const inner = this.#global.fetch as typeof fetch | undefined;
      return inner === undefined || inner === this.#sandboxFetch ? outer(...args) : inner(...args);
    };
  }

  restore(): void {
    for (const [name, value] of this.#before) setOuter(name, value);
    this.#before.clear();
    if (this.#outerFetch !== undefined) globalThis.fetch = this.#outerFetch;
    this.#outerFetch = undefined;
  }

  #follow(env: Env): Env {
    return new Proxy(env, {
      set: (target, name, value: string | undefined) => {
        if (typeof name === 'string') this.#mirror(name, value);
        return Reflect.set(target, name, value);
      },
      defineProperty: (target, name, descriptor) => {
        if (typeof name === 'string' && 'value' in descriptor) this.#mirror(name, descriptor.value as string | undefined);
        return Reflect.defineProperty(target, name, descriptor);
      },
      deleteProperty: (target, name) => {
        if (typeof name === 'string') this.#mirror(name, undefined);
        return Reflect.deleteProperty(target, name);
      },
    });
  }

  #mirror(name: string, value: string | undefined): void {
    if (!this.#before.has(name)) this.#before.set(name, process.env[name]);
    setOuter(name, value);
  }
}

function setOuter(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = String(value);
}
