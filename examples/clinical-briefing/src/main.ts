// The command: reads records, writes their briefings side by side, prints them. One that fails does not lose the others.
//   npm start -- [patients/one.json …] [--json]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as jsonPage from '../page/json-page.js';
import * as terminalPage from '../page/terminal-page.js';
import { createLocalEmbedder } from './embed.js';
import { BriefingError, EXIT_CODES } from './errors.js';
import { openIndex } from './guideline-index.js';
import { readGuidelines } from './guidelines.js';
import { startScriptedDoctor } from './offline.js';
import { readPatient } from './patient.js';
import { createGuidelineServer } from './search-tool.js';
import { writeBriefing } from './write-briefing.js';

const HERE = join(import.meta.dirname, '..');
const AT_ONCE = 3;
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
  const today = new Date().toISOString().slice(0, 10);
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  const index = await openIndex({
    file: join(process.env['DATA_DIR'] ?? join(HERE, 'data'), 'guidelines.db'),
    guidelines: await readGuidelines(join(HERE, 'guidelines')),
    embedder: createLocalEmbedder(),
    onBuild: () => note('Building the index: some seconds, once.'),
  });
  const offline = process.env['ANTHROPIC_API_KEY'] ? undefined : await startScriptedDoctor();
  note(offline ? 'No ANTHROPIC_API_KEY: the model is a script on loopback.' : 'The model is the real one.');
  const guidelines = createGuidelineServer(index);
  const page = values.json ? jsonPage : terminalPage;
  const exitCodes = new Set<number>();
  const brief = async (file: string): Promise<void> => {
    try {
      const patient = await readPatient(file);
      const { signal } = interrupt;
      const written = await writeBriefing({ patient, guidelines, today, signal, options: offline?.options });
      console.log(page.renderBriefing({ file, patient, today, written }));
    } catch (error) {
      if (!(error instanceof BriefingError)) throw error;
      exitCodes.add(EXIT_CODES[error.code]);
      console.log(page.renderFailure(file, error));
    }
  };
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) await brief(file);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    index.close();
    await offline?.close({ verify: false });
  }
  const [exitCode = 0] = exitCodes;
  return exitCodes.size > 1 ? 1 : exitCode;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BriefingError)) throw error;
  note(`${error.code}: ${error.message}`);
  process.exitCode = EXIT_CODES[error.code];
}
