// Hands batches of cells to host processes and collects what they report. A host in which a cell hung is replaced; a batch
// after which something was left in the host is played again cell by cell, to find the one that left it.
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endMarked } from './processes.mjs';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));

/** Plays all batches on some hosts; gives a record for each cell. `onRecord` is told of each. */
export async function runBatches({ batches, hosts, entryPoints, folder, limitOf, onRecord }) {
  const waiting = [...batches];
  const records = [];
  let started = 0;
  const keep = (record) => {
    records.push(record);
    onRecord(record);
  };
  async function work() {
    let host;
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      host ??= await startHost({ entryPoints, folder: join(folder, `host-${(started += 1)}`) });
      const report = await host.play(batch, batch.map(limitOf));
      if (report.isBroken) {
        await host.end();
        host = undefined;
      }
      // What a hung cell holds is no news.
      const isHung = report.records.some((record) => record.isHung);
      if (report.troubles.length === 0 || isHung) report.records.forEach(keep);
      else if (batch.length > 1) waiting.unshift(...batch.map((cell) => [cell]));
      else report.records.forEach((record) => keep({ ...record, troubles: report.troubles }));
    }
    await host?.end();
  }
  await Promise.all(Array.from({ length: hosts }, work));
  return records;
}

async function startHost({ entryPoints, folder }) {
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  const child = fork(HOST, [entryPoints, folder], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, 'tmp'), INBOARD_FAULT_HOST: folder },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const answer = () =>
    Promise.race([
      new Promise((resolve) => child.once('message', resolve)),
      gone.then((how) => ({ type: 'gone', how })),
    ]);
  const ready = await answer();
  if (ready.type !== 'ready') throw new Error(`A host of the matrix did not start: ${ready.how}`);
  return {
    async play(cells, limits) {
      child.send({ cells, limits });
      const report = await answer();
      if (report.type === 'gone') {
        const records = cells.map((cell) => ({
          name: cell.name,
          isHostDead: true,
          promises: [],
          orphans: [],
        }));
        return { records, troubles: [`the host died: ${report.how}`], isBroken: true };
      }
      return { ...report, isBroken: report.records.some(({ isHung }) => isHung) };
    },
    /** Ends the host and whatever its cells left. */
    async end() {
      child.kill('SIGKILL');
      await gone;
      endMarked(folder);
    },
  };
}
