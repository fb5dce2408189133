// What a process holds, measured after a collection, and whether it grew while the same work went on.
import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';

/** Bytes of memory that may come and go: pages that the allocator keeps, and buffers of streams. */
const RSS_SLACK = 16 * 2 ** 20;

/** Needs `--expose-gc`. Call `take()` whenever the work is at the same point, with nothing under way. */
export class Gauge {
  #signals = [];
  #samples = [];

  /** Counts the listeners of a signal that outlives the work. */
  watch(signal) {
    this.#signals.push(signal);
  }

  async take(done) {
    // Finalisers and late closes of handles come after the work that caused them.
    for (let round = 0; round < 4; round += 1) {
      await new Promise((resolve) => void setImmediate(resolve));
      globalThis.gc();
    }
    const { heapUsed: heap, rss } = process.memoryUsage();
    this.#samples.push({
      done,
      heap,
      rss,
      handles: process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length,
      files: readdirSync('/proc/self/fd').length,
      listeners:
        process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0) +
        this.#signals.reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0),
    });
  }

  /**
   * The first fifth warms up: caches fill, code is compiled. After it, counts may not grow, and the heap by `heapLimit` bytes per unit
   * of work. `doCountsWaver`: counts waver by nature, such as those of a pool of connections. They have grown if every one of the
   * later half is above every earlier one. Then the memory of the whole process is judged in the same way.
   */
  judge({ heapLimit, doCountsWaver = false }) {
    const samples = this.#samples.slice(Math.floor(this.#samples.length / 5));
    const [first, last] = [samples[0], samples.at(-1)];
    const half = Math.floor(samples.length / 2);
    const heapOf = (part) => Math.min(...part.map(({ heap }) => heap));
    const work = (last.done - first.done) / 2;
    const heapPerUnit = (heapOf(samples.slice(half)) - heapOf(samples.slice(0, half))) / work;
    const risesBy = (what) =>
      Math.min(...samples.slice(half).map((sample) => sample[what])) -
      Math.max(...samples.slice(0, half).map((sample) => sample[what]));
    const faults = [];
    // A short run is mostly code that is still being compiled.
    if (heapPerUnit * work > heapLimit * work + 2 ** 20)
      faults.push(`the heap grew by ${heapPerUnit.toFixed(0)} bytes each`);
    if (doCountsWaver && risesBy('rss') > RSS_SLACK)
      faults.push(`memory grew from ${first.rss} to ${last.rss} bytes`);
    for (const what of ['handles', 'files', 'listeners']) {
      const hasGrown = doCountsWaver ? risesBy(what) > 0 : last[what] > first[what];
      if (hasGrown) faults.push(`${what} grew from ${first[what]} to ${last[what]}`);
    }
    return { first, last, heapPerUnit, faults };
  }
}
