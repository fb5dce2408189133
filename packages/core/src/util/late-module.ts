// Loads a module when it is first used, so that programs that never use it do not load it.

/** One module. Uses before it is loaded wait for it, in order. Later uses run at once. */
export class LateModule<Module> {
  readonly #load: () => Promise<Module>;
  #loading: Promise<Module> | undefined;
  #loaded: Module | undefined;

  constructor(load: () => Promise<Module>) {
    this.#load = load;
  }

  /** The module; undefined until it is loaded. */
  get loaded(): Module | undefined {
    return this.#loaded;
  }

  /** Resolves with the module. Rejects if it cannot be loaded. The next call then tries again. */
  async load(): Promise<Module> {
    this.#loading ??= this.#load();
    try {
      return (this.#loaded = await this.#loading);
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  /** Calls `use` with the module. Returns its result, or a promise of it if the module is not loaded yet. */
  use<Result>(use: (module: Module) => Result): Result | Promise<Result> {
    return this.#loaded === undefined ? this.load().then(use) : use(this.#loaded);
  }
}
