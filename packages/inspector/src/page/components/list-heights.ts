// The heights of a list's rows: finds where a row begins, and which row is at an offset, in logarithmic time. It is a binary
// indexed tree, because a row's height is known only after drawing, and a change moves all rows below.

/** Heights of rows, in pixels. */
export class ListHeights {
  #heights: number[] = [];
  /** One longer than the heights, because the tree counts from 1. */
  #tree: number[] = [0];

  get count(): number {
    return this.#heights.length;
  }

  /** The height of all rows. */
  get total(): number {
    return this.offsetOf(this.count);
  }

  /** Adds a row at the end. */
  push(height: number): void {
    this.#heights.push(height);
    const place = this.#heights.length;
    let sum = height;
    const first = place - (place & -place);
    for (let below = place - 1; below > first; below -= below & -below) sum += this.#tree[below] ?? 0;
    this.#tree.push(sum);
  }

  /** Removes rows from the end until `count` rows are left. */
  truncate(count: number): void {
    this.#heights.length = Math.min(count, this.#heights.length);
    this.#tree.length = this.#heights.length + 1;
  }

  heightOf(index: number): number {
    return this.#heights[index] ?? 0;
  }

  /** Changes the height of a row; returns by how much it grew. */
  set(index: number, height: number): number {
    const grown = height - this.heightOf(index);
    if (index >= this.count || grown === 0) return 0;
    this.#heights[index] = height;
    for (let place = index + 1; place < this.#tree.length; place += place & -place)
      this.#tree[place] = (this.#tree[place] ?? 0) + grown;
    return grown;
  }

  /** Where a row begins. */
  offsetOf(index: number): number {
    let sum = 0;
    for (let place = Math.min(index, this.count); place > 0; place -= place & -place)
      sum += this.#tree[place] ?? 0;
    return sum;
  }

  /** The index of the row at an offset; for an offset beyond the end, that of the last row. -1 in an empty list. */
  indexAt(offset: number): number {
    let place = 0;
    let rest = offset;
    for (let step = 1 << (31 - Math.clz32(this.count || 1)); step > 0; step >>= 1) {
      const next = place + step;
      const sum = this.#tree[next];
      if (sum !== undefined && sum <= rest) {
        place = next;
        rest -= sum;
      }
    }
    return Math.min(place, this.count - 1);
  }
}
