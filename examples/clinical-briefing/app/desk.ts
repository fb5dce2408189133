// What the command and the page have in common: the index, the tools, and where the model is.
import { join } from 'node:path';
import { openModel } from '../demo/offline.js';
import { createBriefingServer } from '../src/search-tool.js';
import { writeBriefing, type BriefingJob } from '../src/write-briefing.js';
import { createLocalEmbedder } from './embed.js';
import { openIndex } from './guideline-index.js';
import { openLibsqlStore } from './guideline-store.js';
import { readGuidelines, readPatient } from './records.js';
import { describeBriefing } from './view.js';

export const HERE = join(import.meta.dirname, '..');

export async function openDesk(note: (text: string) => void) {
  const guidelines = await readGuidelines(join(HERE, 'guidelines'));
  const index = await openIndex({
    store: await openLibsqlStore(join(process.env['DATA_DIR'] ?? join(HERE, 'data'), 'guidelines.db')),
    guidelines,
    embedder: createLocalEmbedder(),
    onBuild: () => note('Building the index: some seconds, once.'),
  });
  const model = await openModel(note);
  const server = createBriefingServer(index);
  const findToday = (): string => new Date().toLocaleDateString('sv-SE'); // of this machine's time zone
  return {
    readPatient: (file: string) => readPatient(file, findToday()),
    async brief(file: string, more: Pick<BriefingJob, 'signal' | 'onProgress'>) {
      const today = findToday();
      const patient = await readPatient(file, today);
      const job = { patient, today, server, guidelines, options: model.options, ...more };
      const written = await writeBriefing(job);
      return { today, written, view: describeBriefing(job, written) };
    },
    async [Symbol.asyncDispose]() {
      index.close();
      await model.close();
    },
  };
}
