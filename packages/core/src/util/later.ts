// A value that comes later. To those who await it, it is a promise; who takes it gets it in the very step in which it is given. Each
// promise between the two would be a turn of the microtask queue and three objects, and a call of a tool had four of them.

type Change = (value: unknown) => unknown;

/** Made by the one who will give the value, which never fails to come; it may be a promise, which those who take it must expect. */
export class Later<T> implements PromiseLike<Awaited<T>> {
  #value: unknown;
  #isGiven = false;
  #change: Change | undefined;
  #taker: ((value: T) => void) | undefined;
  #promise: Promise<Awaited<T>> | undefined;

  /** Gives the value; only the first counts. */
  give(value: T): void {
    if (this.#isGiven) return;
    this.#isGiven = true;
    const change = this.#change;
    this.#value = change ? change(value) : value;
    this.#taker?.(this.#value as T);
  }

  /** Calls back with the value: when it is given, or at once. There is one taker; those who share a value await it. */
  take(taker: (value: T) => void): void {
    if (this.#taker !== undefined) throw new Error('A value that comes later was taken twice');
    this.#taker = taker;
    if (this.#isGiven) taker(this.#value as T);
  }

  /** Gives what `change` makes of the value instead, to whoever takes it from now on. It is the same object: nobody else holds it yet. */
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
