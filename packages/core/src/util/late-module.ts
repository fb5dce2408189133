// A module that is loaded when it is first used, so that programs which never use it do not pay for it.

/** One module; each use before it is loaded waits for it, in order, and each use after runs at once. */
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

  /** Resolves with the module; rejects where it cannot be loaded, and tries again the next time. */
  async load(): Promise<Module> {
    this.#loading ??= this.#load();
    try {
      return (this.#loaded = await this.#loading);
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  /** What `use` makes of the module: at once when it is loaded, else as a promise. */
  use<Result>(use: (module: Module) => Result): Result | Promise<Result> {
    return this.#loaded === undefined ? this.load().then(use) : use(this.#loaded);
  }
}
