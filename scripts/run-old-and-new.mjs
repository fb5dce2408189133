// Has the packed package of an earlier commit and that of this one exchange everything that is stored or sent: traces, approvals, records of
// calls, transcripts, sessions in a store, links and, where PostgreSQL is installed, a journal. Exits with 1 where a reader says anything
// else than who wrote it. Needs `npm run build` before.
//   node scripts/run-old-and-new.mjs           with one earlier package, chosen by the seed
//     --from <package>   a name in EARLIER (scripts/support/cluster-chaos/earlier-package.mjs), a commit, or "all"
//     --seed <number>    default: made of the commit
//     --record           keeps what the earlier package wrote and said in test/fixtures/old-and-new
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EARLIER, pickEarlier } from './support/cluster-chaos/earlier-package.mjs';
import { readCommitSeed } from './support/commit-seed.mjs';
import { openEarlierPackage, openThisPackage } from './support/old-and-new/open-package.mjs';
import { keepRecordings, runMatrix } from './support/old-and-new/run-matrix.mjs';
import { dumpSchema } from './support/services/dump-schema.mjs';
import { startPostgres } from './support/services/postgres-server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    seed: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const seed = readCommitSeed(values.seed, root);
const names = values.from === 'all' ? Object.keys(EARLIER) : [values.from ?? pickEarlier(seed)];
console.log(`seed ${seed}: ${names.join(', ')}`);

const current = await openThisPackage(root);
const postgres = await startPostgres({ settings: { fsync: 'off' } });
let broken = 0;
try {
  for (const name of names) {
    const earlier = await openEarlierPackage(name, root);
    const { rows, facts } = await runMatrix({
      earlier,
      current,
      recordings: join(root, 'test', 'fixtures', 'formats'),
      postgres: { url: postgres.url, dump: (schema) => dumpSchema(postgres, schema) },
      log: (line) => console.log(`${name}: ${line}`),
    });
    for (const { what, isRight, actual, wanted } of rows) {
      if (isRight) continue;
      broken += 1;
      console.log(
        `\n${name}: ${what}\n  says ${JSON.stringify(actual)}\n  and not ${JSON.stringify(wanted)}`,
      );
    }
    if (values.record)
      keepRecordings({
        facts,
        target: join(root, 'test', 'fixtures', 'old-and-new', name),
        write: writeText,
      });
    rmSync(facts.folder, { recursive: true, force: true });
  }
} finally {
  await postgres.stop();
  current.close();
}
console.log(broken === 0 ? 'each reads what the other wrote' : `${broken} differ`);
process.exitCode = broken === 0 ? 0 : 1;

function writeText(file, value) {
  writeFileSync(file, typeof value === 'string' ? value : `${JSON.stringify(value, null, 1)}\n`);
}
