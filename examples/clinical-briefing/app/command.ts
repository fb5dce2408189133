// The command: reads records, writes their briefings side by side, prints them. One that fails does not lose the others.
import { join } from 'node:path';
import { BriefingError, EXIT_CODES } from '../src/errors.js';
import { HERE, openDesk } from './desk.js';
import { clean, renderBriefing } from './terminal-page.js';

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const given = words.filter((word) => word !== '--json');
  const wrong = given.find((word) => word.startsWith('-'));
  if (wrong) throw new BriefingError('USAGE', `Usage: npm start -- [record.json …] [--json], not ${wrong}.`);
  const waiting = (given.length > 0 ? given : [join(HERE, 'patients', 'margit-lund.json')]).values();
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  await using desk = await openDesk(console.error);
  const exitCodes = new Set<number>();
  const print = (facts: object, text: string): void =>
    console.log(words.includes('--json') ? JSON.stringify(facts) : text);
  const work = async (): Promise<void> => {
    for (const file of waiting)
      try {
        const { today, written, view } = await desk.brief(file, { signal: interrupt.signal });
        const { briefing, searches, refusals } = written;
        print({ file, today, briefing, searches, refusals }, renderBriefing(view));
      } catch (error) {
        if (!(error instanceof BriefingError)) throw error;
        const { code, message } = error;
        exitCodes.add(EXIT_CODES[code]);
        print({ file, error: { code, message } }, `${file}: ${code}: ${clean(message)}`);
      }
  };
  await Promise.all([work(), work(), work()]);
  return exitCodes.size > 1 ? 1 : ([...exitCodes][0] ?? 0);
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof BriefingError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  return EXIT_CODES[error.code];
});
