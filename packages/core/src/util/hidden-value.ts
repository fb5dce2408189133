// Keeps the state of a public object under a symbol. A method on a prototype finds the state through any receiver that
// leads to the object, such as a proxy or an object that inherits from it. With `#fields`, such a receiver would throw.

/** The hidden state of one kind of object. `kind` names it in the error for a method that lost its receiver. */
export class HiddenValue<T> {
  readonly #key = Symbol('hidden');
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Sets the value. It is not enumerable, so that an object that is printed or spread does not show it. */
  set(object: object, value: T): void {
    Object.defineProperty(object, this.#key, { value });
  }

  /** The value of a receiver; undefined if it has none. The prototype itself has none, but programs may examine it. */
  find(receiver: object | undefined): T | undefined {
    return (receiver as Readonly<Record<symbol, T>> | undefined)?.[this.#key];
  }

  /** The value of a receiver. Throws a TypeError if it has none. */
  of(receiver: object | undefined): T {
    const value = this.find(receiver);
    if (value !== undefined) return value;
    const kind = this.#kind;
    throw new TypeError(
      `A method of a ${kind} was called without its ${kind}: call it as ${kind}.method(), or bind it`,
    );
  }
}
