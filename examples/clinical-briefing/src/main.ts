// The command: reads records, writes their briefings side by side, prints them. One that fails does not lose the others.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOffline } from 'inboard/testing';
import * as jsonPage from '../page/json-page.js';
import * as terminalPage from '../page/terminal-page.js';
import { createLocalEmbedder } from './embed.js';
import { BriefingError, EXIT_CODES } from './errors.js';
import { openIndex } from './guideline-index.js';
import { answerByScript } from './offline.js';
import { readGuidelines, readPatient } from './records.js';
import { createGuidelineServer } from './search-tool.js';
import { writeBriefing } from './write-briefing.js';

const HERE = join(import.meta.dirname, '..');
const note = (text: string): void => void process.stderr.write(`${text}\n`);

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  } catch (error) {
    throw new BriefingError('USAGE', 'Usage: npm start -- [record.json …] [--json].', error);
  }
}

async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  const files = positionals.length > 0 ? positionals : [join(HERE, 'patients', 'margit-lund.json')];
  const page = values.json ? jsonPage : terminalPage;
  const today = new Date().toISOString().slice(0, 10);
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  const index = await openIndex({
    file: join(process.env['DATA_DIR'] ?? join(HERE, 'data'), 'guidelines.db'),
    guidelines: await readGuidelines(join(HERE, 'guidelines')),
    embedder: createLocalEmbedder(),
    onBuild: () => note('Building the index: some seconds, once.'),
  });
  const hasKey = Boolean(process.env['ANTHROPIC_API_KEY']);
  note(hasKey ? 'The model is the real one.' : 'No ANTHROPIC_API_KEY: the model is a script on loopback.');
  const offline = hasKey ? undefined : await startOffline({ onExhausted: answerByScript });
  const job = { guidelines: createGuidelineServer(index), today, options: offline?.options };
  const exitCodes = new Set<number>();
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting)
      try {
        const patient = await readPatient(file);
        const written = await writeBriefing({ ...job, patient, signal: interrupt.signal });
        console.log(page.renderBriefing({ file, patient, today, written }));
      } catch (error) {
        if (!(error instanceof BriefingError)) throw error;
        exitCodes.add(EXIT_CODES[error.code]);
        console.log(page.renderFailure(file, error));
      }
  };
  try {
    await Promise.all([work(), work(), work()]);
  } finally {
    index.close();
    await offline?.close({ verify: false });
  }
  return exitCodes.size > 1 ? 1 : ([...exitCodes][0] ?? 0);
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof BriefingError)) throw error;
  note(`${error.code}: ${error.message}`);
  return EXIT_CODES[error.code];
});
