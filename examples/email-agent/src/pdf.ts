// The text of a PDF that a stranger sent: never more than some pages, seconds and megabytes of it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const MOST_PAGES = 50;
const MOST_MS = 15_000;
const MOST_BYTES = 400_000_000;
type Read = { text: string; pages: number; pagesRead: number; problem?: string };

/** Rejects with an Error that says what is wrong with the file. */
export async function readPdf(name: string, content: Buffer): Promise<Omit<Read, 'problem'>> {
  const workerData = [Uint8Array.from(content), MOST_PAGES];
  const limits = { resourceLimits: { maxOldGenerationSizeMb: 200 }, env: {}, workerData };
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), limits);
  const stopping = new AbortController();
  const timer = setTimeout(() => stopping.abort('takes too long to read'), MOST_MS);
  // What it unpacks lies outside of the thread's own memory, so that of the process is looked at.
  const before = process.memoryUsage.rss();
  const isTooMuch = () => process.memoryUsage.rss() - before > MOST_BYTES;
  const looking = setInterval(() => isTooMuch() && stopping.abort('takes too much memory to read'), 50);
  try {
    const [{ problem, ...read }] = (await once(worker, 'message', { signal: stopping.signal })) as [Read];
    if (problem) throw new Error(problem);
    return read;
  } catch (error) {
    const why = stopping.signal.reason ?? (error as Error).message;
    throw new Error(`${name} ${why}; ask for another copy`, { cause: error });
  } finally {
    clearTimeout(timer);
    clearInterval(looking);
    await worker.terminate();
  }
}
