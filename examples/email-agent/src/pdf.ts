// The text of a PDF that a stranger sent: never more than some pages, seconds and megabytes of it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const LIMITS = { mostPages: 50, mostText: 200_000 };
const MOST_MS = 15_000;
const MOST_BYTES = 400 * 1024 * 1024;
type Read = { text: string; pages: number; pagesRead: number } | { problem: string };

/** Rejects with an Error that says what is wrong with the file. */
export async function readPdf(name: string, content: Buffer) {
  const workerData = { ...LIMITS, content: Uint8Array.from(content) };
  const limits = { resourceLimits: { maxOldGenerationSizeMb: 200 }, env: {} };
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { ...limits, workerData });
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = (why: string) => stopping.abort(new Error(`${name} ${why}`));
  const timer = setTimeout(() => stop(`took more than ${MOST_MS / 1000} s to read`), MOST_MS);
  // What is unpacked lies outside of the thread's heap, so the process is measured.
  const before = process.memoryUsage.rss();
  const look = () => process.memoryUsage.rss() - before > MOST_BYTES && stop('takes too much memory to read');
  const looking = setInterval(look, 50);
  try {
    const [read] = (await once(worker, 'message', { signal }).catch((error: Error) => {
      throw signal.aborted ? signal.reason : new Error(`${name} cannot be read: ${error.message}`);
    })) as [Read];
    if ('problem' in read) throw new Error(`${name} ${read.problem}; ask for another copy`);
    if (read.text.trim() === '') throw new Error(`${name} has no text; its ${read.pages} pages may be pictures`);
    return read;
  } finally {
    clearTimeout(timer);
    clearInterval(looking);
    await worker.terminate();
  }
}
