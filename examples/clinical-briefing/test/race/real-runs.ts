// Whole briefings on the real CLI, some of them cancelled in the middle of a search, and a look for what they leave behind.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startOffline } from 'inboard/testing';
import { BriefingError } from '../../src/errors.js';
import { readGuidelines, readPatient } from '../../app/records.js';
import { answerByScript } from '../../demo/offline.js';
import { createBriefingServer } from '../../src/search-tool.js';
import { writeBriefing } from '../../src/write-briefing.js';

const HERE = join(import.meta.dirname, '..', '..');

/** Makes so many runs, two at a time; every fifth is cancelled. Gives what was wrong, one sentence each. */
export async function runOnRealCli(count: number): Promise<string[]> {
  const problems: string[] = [];
  const mark = `BRIEFING_RACE_${process.pid}_${Date.now()}`;
  const patient = await readPatient(join(HERE, 'patients', 'margit-lund.json'), '2026-01-31');
  const guidelines = await readGuidelines(join(HERE, 'guidelines'));
  await using offline = await startOffline({ onExhausted: answerByScript }, { extra: { [mark]: '1' } });

  const runOnce = async (number: number): Promise<void> => {
    const cancel = new AbortController();
    const isCancelled = number % 5 === 4;
    const server = createBriefingServer({
      search: async (query) => {
        if (isCancelled) cancel.abort();
        return guidelines.filter(({ text }) => query.split(' ').some((word) => text.includes(word)));
      },
    });
    const job = { patient, server, guidelines, today: '2026-01-31', options: offline.options };
    const outcome = await writeBriefing({ ...job, signal: cancel.signal }).then(
      ({ searches }) => `${searches.length} searches`,
      (error: unknown) => (error instanceof BriefingError ? error.code : String(error)),
    );
    const expected = isCancelled ? 'CANCELLED' : '3 searches';
    if (outcome !== expected) problems.push(`run ${number}: ${outcome} in place of ${expected}`);
  };
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const work = async (): Promise<void> => {
    for (const number of numbers) await runOnce(number);
  };
  await Promise.all([work(), work()]);
  // The last may need a moment to be gone.
  for (let tries = 0; tries < 400 && (await findProcesses(mark)).length > 0; tries += 1) await setTimeout(50);
  problems.push(...(await findProcesses(mark)).map((pid) => `process ${pid} was left behind`));
  return problems;
}

/** The processes with a variable of this name; only Linux tells. */
async function findProcesses(variable: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // One that has ended meanwhile, or belongs to somebody else, is none of ours.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.includes(`${variable}=1`)) found.push(pid);
  }
  return found;
}
