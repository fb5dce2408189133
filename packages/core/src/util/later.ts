// A value that comes later. It can be awaited like a promise, but a taker gets it in the same step in which it is given.
// With promises, each step between giver and taker would cost a turn of the microtask queue and three objects. A tool
// call had four such steps.

type Change = (value: unknown) => unknown;

/** The code that makes this object must give the value at some time. The value may be a promise. */
export class Later<T> implements PromiseLike<Awaited<T>> {
  #value: unknown;
  #isGiven = false;
  #change: Change | undefined;
  #taker: ((value: T) => void) | undefined;
  #promise: Promise<Awaited<T>> | undefined;

  /** Gives the value. Only the first call counts. */
  give(value: T): void {
    if (this.#isGiven) return;
    this.#isGiven = true;
    const change = this.#change;
    this.#value = change ? change(value) : value;
    this.#taker?.(this.#value as T);
  }

  /**
   * Calls `taker` with the value, at once or when it is given. The value is either taken, once, or awaited any number of
   * times.
   */
  take(taker: (value: T) => void): void {
    if (this.#taker !== undefined) throw new Error('A value that comes later was taken twice');
    this.#taker = taker;
    if (this.#isGiven) taker(this.#value as T);
  }

  /**
   * Makes the taker get the result of `change` instead of the value. Returns the same object, because no other code has
   * this object yet.
   */
  map<U>(change: (value: T) => U): Later<U> {
    const before = this.#change;
    if (this.#isGiven) this.#value = change(this.#value as T);
    else this.#change = before ? (value) => change(before(value) as T) : (change as Change);
    return this as unknown as Later<U>;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaited like a promise by all but the one who takes it
  then<Kept = Awaited<T>, Caught = never>(
    onGiven?: ((value: Awaited<T>) => Kept | PromiseLike<Kept>) | null,
    onRefused?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.#promise ??= new Promise<T>((resolve) => this.take(resolve)) as Promise<Awaited<T>>;
    return this.#promise.then(onGiven, onRefused);
  }
}
