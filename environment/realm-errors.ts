type ErrorClass = new (...args: never[]) => Error;

/** Errors of the outer realm, made into errors of a sandbox: `instanceof Error` and `instanceof` the class that `jest-adk` exports hold there. */
export class RealmErrors {
  readonly #prototypes = new Map<object, object>();

  /** @param global  the sandbox's global object; its `Error` is read when first needed */
  constructor(private readonly global: { readonly Error: ErrorConstructor }) {}

  /** An error of the sandbox with a message. */
  make = (message: string): Error => new this.global.Error(message);

  /** The same failure as an error of the sandbox; what is none of the outer realm's errors is returned as it is. */
  translate = (thrown: unknown): unknown => {
    if (!(thrown instanceof Error) || (thrown as object) instanceof this.global.Error) return thrown;
    const copy = this.make(thrown.message);
    Object.setPrototypeOf(copy, this.#prototypeFor(Object.getPrototypeOf(thrown) as object));
    for (const key of Reflect.ownKeys(thrown)) {
      if (key === 'message') continue;
      Object.defineProperty(copy, key, { ...Object.getOwnPropertyDescriptor(thrown, key), configurable: true });
    }
    return copy;
  };

  /** A constructor for the sandbox that stands for an error class of the outer realm. */
  classFor(outer: ErrorClass): ErrorClass {
    const { translate } = this;
    const inner = function (...args: never[]): unknown {
      return translate(new outer(...args));
    };
    Object.defineProperty(inner, 'name', { value: outer.name });
    Object.defineProperty(inner, 'prototype', { value: this.#prototypeFor(outer.prototype as object) });
    return inner as unknown as ErrorClass;
  }

  /** The sandbox's counterpart of a prototype in the outer chain below `Error`. */
  #prototypeFor(outer: object | null): object {
    if (outer === null || outer === Error.prototype) return this.global.Error.prototype;
    const known = this.#prototypes.get(outer);
    if (known !== undefined) return known;
    const { constructor: _outerClass, ...own } = Object.getOwnPropertyDescriptors(outer) as Record<string, PropertyDescriptor>;
    const made = Object.create(this.#prototypeFor(Object.getPrototypeOf(outer) as object | null), own) as object;
    this.#prototypes.set(outer, made);
    return made;
  }
}
