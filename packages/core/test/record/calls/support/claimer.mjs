// A process with call records in a folder. It does what it reads on stdin, one word at a time, and says what came of it.
//   node claimer.mjs <file-call-records.js> <folder>
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [module, folder] = process.argv.slice(2);
const { createFileCallRecords } = await import(pathToFileURL(module).href);
const records = createFileCallRecords({ folder });
const owner = `process ${process.pid}`;
let claim;

const doings = {
  async claim(ttlMs) {
    const answer = await records.claim({ owner, ttlMs: Number(ttlMs) });
    if (answer.renew) claim = answer;
    return answer.renew ? 'taken' : `held by ${answer.heldBy}`;
  },
  renew: async () => String(await claim.renew()),
  release: async () => String(await claim.release()),
  /** Adds facts without an end, and says the number of each that was added. */
  async add() {
    for (let at = 0; ; at += 1) {
      // Now and then one that is longer than a page, which a kill can tear.
      const input = at % 5 === 0 ? { text: 'x'.repeat(100_000) } : {};
      records.add({ type: 'begun', callKey: `${owner} ${at}`, toolName: 't', input, attempt: 1, owner, at });
      // Synchronously, so that it is said before anything else happens.
      process.stdout.write(`${at}\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
};

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [word, argument] = line.split(' ');
  console.log(await doings[word](argument));
}
