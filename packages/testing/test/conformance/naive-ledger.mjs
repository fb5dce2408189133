// A ledger in files, as many write it by hand: it looks whether the fence is held, and writes in a second step. Its folder is in the
// query of the URL that it is imported by.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How long the look takes to come back, as that at a database does. */
const LOOK_MS = 5;

const readLines = (path) => {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
};
const nameOf = (key) => Buffer.from(key).toString('hex');

export function openLedger(folder = new URL(import.meta.url).searchParams.get('folder')) {
  const pathOf = (key) => join(folder, `${nameOf(key)}.json`);
  const read = (key) => readLines(pathOf(key))[0];
  const holds = async ({ key, epoch }) => read(key)?.epoch === epoch;
  const write = async (fence, name, values) => {
    const isHeld = await holds(fence);
    await delay(LOOK_MS);
    if (!isHeld) throw Object.assign(new Error('The fence is lost'), { fatal: true });
    for (const value of values) appendFileSync(join(folder, name), `${JSON.stringify(value)}\n`);
  };
  return {
    holds,
    take: async (key, { owner }) => {
      const { epoch = 0, sessionId = randomUUID() } = read(key) ?? {};
      writeFileSync(pathOf(key), JSON.stringify({ epoch: epoch + 1, sessionId }));
      return { fence: { key, epoch: epoch + 1, owner }, sessionId };
    },
    store: (fence) => ({
      append: ({ sessionId }, entries) => write(fence, `${sessionId}.entries`, entries),
      load: async ({ sessionId }) => readLines(join(folder, `${sessionId}.entries`)),
      calls: ({ sessionId }) => ({
        add: (fact) => write(fence, `${sessionId}.facts`, [fact]),
        load: async () => readLines(join(folder, `${sessionId}.facts`)),
      }),
    }),
  };
}
