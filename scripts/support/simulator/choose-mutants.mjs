// Which mutations the simulator is held to: forty, drawn by a fixed seed from the code of cluster, conversations and calls. Chosen before
// the simulator was tuned, and not to be chosen again.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../mutation/areas.mjs';
import { listMutants, sample } from '../mutation/mutants.mjs';

const SEED = 20_261_119;
const COUNT = 40;

const FOLDERS = [
  'packages/cluster/src',
  'packages/core/src/verbs/conversation',
  'packages/core/src/record/calls',
  'packages/core/src/calls/pending',
  'packages/core/src/calls/transcript',
];
/** Drivers of real services, which no simulator reaches, checks of options, texts and numbers, and what removes old data. */
const OUTSIDE =
  /\/(?:postgres|bullmq|health|numbers|limits|checks)\/|\/(?:check-|format-|audit|forget|retention|create-cluster|no-worker-warning|until-signal)|-(?:options|settings|texts|words)\.ts$/;

/** The mutants, in the order of their files: each with its file, name, line, what was there, and the whole changed code. */
export function chooseMutants(count = COUNT, seed = SEED) {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${String(name)}`),
  )
    .filter((file) => !OUTSIDE.test(file))
    .sort();
  return sample(files.flatMap(listMutants), count, seed);
}
