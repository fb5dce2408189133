// Loads a module with its first use, so that programs that never use it do not pay for it.

/** One module. Uses before it is loaded wait for it, in order; later uses run at once. */
export class LateModule<Module> {
  readonly #load: () => Promise<Module>;
  #loading: Promise<Module> | undefined;
  #loaded: Module | undefined;

  constructor(load: () => Promise<Module>) {
    this.#load = load;
  }

  /** The module, once it is there. */
  get loaded(): Module | undefined {
    return this.#loaded;
  }

  /** Resolves with the module. Rejects where it cannot be loaded; the next call tries again. */
  async load(): Promise<Module> {
    this.#loading ??= this.#load();
    try {
      return (this.#loaded = await this.#loading);
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  /** The result of `use` with the module: at once when it is loaded, otherwise as a promise. */
  use<Result>(use: (module: Module) => Result): Result | Promise<Result> {
    return this.#loaded === undefined ? this.load().then(use) : use(this.#loaded);
  }
}
