// Runs handlers that are generators. A yielded number, text or progress object is progress. The return value is the result.
import type { ToolProgress } from '../tool/tool-events.js';

/** The call that is told of the steps until it has settled. */
export interface StepListener {
  readonly settled: boolean;
  reportProgress(update: number | string | ToolProgress): void;
  /** Calls `react` once, when the call has ended in any way. */
  whenSettled(react: () => void): void;
}

/** An async iterable, or the object a generator function returns. */
export type StepSource = AsyncIterable<unknown> | (Iterable<unknown> & Iterator<unknown>);

/** Whether a handler's return value gives steps. Streams do not count. */
export function isStepSource(value: unknown): value is StepSource {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const source = value as Partial<Record<symbol | string, unknown>>;
  if (typeof source[Symbol.asyncIterator] === 'function') {
    return typeof source['getReader'] !== 'function' && typeof source['pipe'] !== 'function';
  }
  return typeof source[Symbol.iterator] === 'function' && typeof source['next'] === 'function';
}

/**
 * Runs through the steps. Resolves with the generator's return value. If that is undefined, resolves with the last
 * yielded value, unless it was a progress object. When the call ends earlier, the generator is stopped.
 */
export async function followSteps(source: StepSource, listener: StepListener): Promise<unknown> {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  listener.whenSettled(() => stop(iterator));
  let last: unknown;
  for (;;) {
    const step = await iterator.next();
    if (listener.settled) return undefined;
    if (step.done) return step.value !== undefined ? step.value : isProgress(last) ? undefined : last;
    last = step.value;
    if (typeof last === 'number' || typeof last === 'string' || isProgress(last))
      listener.reportProgress(last);
  }
}

function stop(iterator: AsyncIterator<unknown> | Iterator<unknown>): void {
  try {
    // The call is over, so neither the generator's own clean-up nor its failure is awaited.
    Promise.resolve(iterator.return?.()).catch(() => {});
  } catch {
    // A synchronous generator throws here. Its failure does not matter either.
  }
}

function isProgress(value: unknown): value is ToolProgress {
  if (typeof value !== 'object' || value === null) return false;
  if (typeof (value as ToolProgress).progress !== 'number') return false;
  return Object.keys(value).every((key) => key === 'progress' || key === 'total' || key === 'message');
}
