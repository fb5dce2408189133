// Gives drawn rows slots, so that the elements of rows that leave the page are used again for rows that come. After a jump, that is
// much less work than new elements for all of them.
import type { RowKey } from './list-layout.js';

/** The slots of one list. */
export class RowSlots {
  #slots = new Map<RowKey, number>();

  /** The slot of each row that is drawn now, in order. A row that was drawn before keeps its slot. */
  take(keys: readonly RowKey[]): number[] {
    const known = new Set(keys);
    const free: number[] = [];
    for (const [key, slot] of this.#slots) if (!known.has(key)) free.push(slot);
    let fresh = this.#slots.size;
    let next = 0;
    const slots = keys.map((key) => this.#slots.get(key) ?? free[next++] ?? fresh++);
    this.#slots = new Map(keys.map((key, index) => [key, slots[index] as number]));
    // Slots that are left over are forgotten with their elements; numbers must stay within the size.
    return this.#compact(slots);
  }

  #compact(slots: number[]): number[] {
    if (Math.max(-1, ...slots) < slots.length) return slots;
    const used = new Set(slots);
    const gaps: number[] = [];
    for (let slot = 0; slot < slots.length; slot += 1) if (!used.has(slot)) gaps.push(slot);
    const packed = slots.map((slot) => (slot < slots.length ? slot : (gaps.pop() as number)));
    let index = 0;
    for (const key of this.#slots.keys()) this.#slots.set(key, packed[index++] as number);
    return packed;
  }
}
