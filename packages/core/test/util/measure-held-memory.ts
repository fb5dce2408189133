// Memory tests ask the engine to collect, so that what they measure is what is held and not what is left over.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects all garbage and returns the bytes still in use, on the heap and in buffers. */
export function measureHeldMemory(): number {
  collect();
  // Buffers found dead in one round are freed by the next.
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
