// What a process holds, measured after a collection, and whether it grew while the same work went on.
import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';

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
    this.#samples.push({
      done,
      heap: process.memoryUsage().heapUsed,
      handles: process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length,
      files: readdirSync('/proc/self/fd').length,
      listeners:
        process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0) +
        this.#signals.reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0),
    });
  }

  /** The first fifth warms up: caches fill, code is compiled. After it, counts may not grow, and the heap by `heapLimit` bytes per unit of work. */
  judge({ heapLimit }) {
    const samples = this.#samples.slice(Math.floor(this.#samples.length / 5));
    const [first, last] = [samples[0], samples.at(-1)];
    const half = Math.floor(samples.length / 2);
    const heapOf = (part) => Math.min(...part.map(({ heap }) => heap));
    const work = (last.done - first.done) / 2;
    const heapPerUnit = (heapOf(samples.slice(half)) - heapOf(samples.slice(0, half))) / work;
    const faults = [];
    // A short run is mostly code that is still being compiled.
    if (heapPerUnit * work > heapLimit * work + 2 ** 20)
      faults.push(`the heap grew by ${heapPerUnit.toFixed(0)} bytes each`);
    for (const what of ['handles', 'files', 'listeners']) {
      if (last[what] > first[what]) faults.push(`${what} grew from ${first[what]} to ${last[what]}`);
    }
    return { first, last, heapPerUnit, faults };
  }
}
