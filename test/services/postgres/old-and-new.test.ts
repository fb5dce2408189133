// Journals as packages that users have had left them: this version migrates their tables, finds every turn, takes an answer, and goes on
// with each conversation. `node scripts/run-old-and-new.mjs --record` makes the recordings.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { EARLIER } from '../../../scripts/support/cluster-chaos/earlier-package.mjs';
import { goOnWith, journalMeaning } from '../../../scripts/support/old-and-new/journal-turns.mjs';
import * as inboard from '../../../packages/inboard/src/index.js';
import * as cluster from '../../../packages/inboard/src/cluster.js';
import * as postgres from '../../../packages/inboard/src/cluster-postgres.js';
import { PROJECT_ROOT } from '../../package/project.js';
import { nameSchema, runSql } from '../support/journals.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'old-and-new-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each(Object.keys(EARLIER))('the journal of the package %s is gone on with', async (name) => {
  const text = readFileSync(
    join(PROJECT_ROOT, 'test', 'fixtures', 'old-and-new', name, 'journal.sql'),
    'utf8',
  );
  const [recorded = ''] = /(?<=^CREATE SCHEMA )\w+/m.exec(text) ?? [];
  const schema = nameSchema('left');
  await runSql(text.replaceAll(recorded, schema));
  const place = { connectionString: inject('postgresUrl'), schema, folder };
  const packageOfToday = {
    ...inboard,
    cluster,
    postgres,
    suspendOption: 'suspendAfterMs',
    onRepeat: 'recorded',
  };
  const seen = await goOnWith(packageOfToday, place, 'old');
  expect(JSON.parse(JSON.stringify(seen))).toEqual(journalMeaning('old'));
});
