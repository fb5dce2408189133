// The open entries of a table, by key. A single entry is kept in two fields. A Map that every question fills and every
// answer empties makes a new table inside each time (114 ns instead of 21, and 300 instead of 14 with objects as keys).

/** A small Map, oldest first, whose usual case of one entry at a time allocates nothing. Keys are never undefined. */
export class OpenTable<K, V> {
  #onlyKey: K | undefined;
  #only: V | undefined;
  /**
   * Holds all entries once there are two, until it is empty again. Most sessions have four such tables, and never two
   * entries in one.
   */
  #several: Map<K, V> | undefined;

  get size(): number {
    return this.#onlyKey === undefined ? (this.#several?.size ?? 0) : 1;
  }

  get(key: K): V | undefined {
    return this.#onlyKey === undefined
      ? this.#several?.get(key)
      : this.#onlyKey === key
        ? this.#only
        : undefined;
  }

  /** Adds an entry, or replaces the one with the same key. */
  set(key: K, value: V): void {
    const onlyKey = this.#onlyKey;
    if (onlyKey === key || (onlyKey === undefined && !this.#several?.size)) {
      this.#onlyKey = key;
      this.#only = value;
      return;
    }
    const several = (this.#several ??= new Map<K, V>());
    if (onlyKey !== undefined) {
      several.set(onlyKey, this.#only as V);
      this.#dropOnly();
    }
    several.set(key, value);
  }

  /** Removes an entry. Returns whether there was one. */
  delete(key: K): boolean {
    if (this.#onlyKey === undefined) return this.#several?.delete(key) ?? false;
    if (this.#onlyKey !== key) return false;
    this.#dropOnly();
    return true;
  }

  /** A copy of the entries, oldest first, so that entries may come and go while it is walked. */
  entries(): [K, V][] {
    return this.#onlyKey === undefined ? [...(this.#several ?? [])] : [[this.#onlyKey, this.#only as V]];
  }

  clear(): void {
    this.#dropOnly();
    this.#several?.clear();
  }

  #dropOnly(): void {
    this.#onlyKey = undefined;
    this.#only = undefined;
  }
}
