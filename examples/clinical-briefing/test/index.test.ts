// The index: fused search, what is healed by building it anew, and what is an error.
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openIndex } from '../app/guideline-index.js';
import { openLibsqlStore } from '../app/guideline-store.js';
import { readGuidelines } from '../app/records.js';
import { guidelines, makePlace, quickEmbedder } from './support.js';

async function countBuilds(
  file: string,
  changes: Partial<Parameters<typeof openIndex>[0]> = {},
): Promise<number> {
  let builds = 0;
  const index = await openIndex({
    store: await openLibsqlStore(file),
    guidelines,
    embedder: quickEmbedder,
    onBuild: () => (builds += 1),
    ...changes,
  });
  assert.equal((await index.search('metformin eGFR', 3))[0]?.id, 'G-001');
  index.close();
  return builds;
}

test('is built once, and again when texts or model have changed', async () => {
  await using place = await makePlace();
  const file = join(place.folder, 'data', 'index.db');
  assert.equal(await countBuilds(file), 1);
  assert.equal(await countBuilds(file), 0);
  const changed = guidelines.map((each) => (each.id === 'G-002' ? { ...each, text: 'Another text.' } : each));
  assert.equal(await countBuilds(file, { guidelines: changed }), 1);
  assert.equal(
    await countBuilds(file, { guidelines: changed, embedder: { ...quickEmbedder, name: 'other' } }),
    1,
  );
  assert.deepEqual(await readdir(join(place.folder, 'data')), ['index.db']);
});

test('is built anew where the file is damaged or no database', async () => {
  await using place = await makePlace();
  const file = join(place.folder, 'index.db');
  await writeFile(file, 'This is no database. '.repeat(500));
  assert.equal(await countBuilds(file), 1);
  assert.equal(await countBuilds(file), 0);
});

test('says which file is wrong, and where it cannot be written', async () => {
  await using place = await makePlace();
  const folder = join(place.folder, 'texts');
  await mkdir(folder);
  await writeFile(join(folder, 'one.md'), '---\nid: 7\ntitle: No date\n---\nText.\n');
  await assert.rejects(readGuidelines(folder), {
    code: 'INDEX_BROKEN',
    message: /one\.md cannot be indexed[\s\S]*at date/,
  });
  await assert.rejects(readGuidelines(join(folder, 'nowhere')), { code: 'INDEX_BROKEN', message: /ENOENT/ });
  const file = join(folder, 'one.md', 'index.db');
  await assert.rejects(openLibsqlStore(file), { code: 'INDEX_BROKEN', message: /index\.db/ });
  const store = await openLibsqlStore(join(place.folder, 'x.db'));
  const failing = { name: 'failing', embed: () => Promise.reject(new Error('no weights')) };
  await assert.rejects(openIndex({ store, guidelines, embedder: failing }), {
    code: 'INDEX_BROKEN',
    message: /no weights/,
  });
});

test('takes whatever a model writes as words, never as syntax', async () => {
  await using place = await makePlace();
  const index = await openIndex({
    store: await openLibsqlStore(join(place.folder, 'index.db')),
    guidelines,
    embedder: quickEmbedder,
  });
  for (const query of [
    '"',
    '") OR NEAR(a b',
    'title:*',
    '-',
    '💊',
    "'; DROP TABLE guidelines; --",
    'AND OR NOT',
  ])
    assert.equal((await index.search(query, 4)).length, 4, query);
  assert.deepEqual(await index.search('💊', 4, 'words'), []);
  index.close();
});

test('fuses by reciprocal rank: first in both is first, and either ranking alone can bring a text in', async () => {
  await using place = await makePlace();
  const index = await openIndex({
    store: await openLibsqlStore(join(place.folder, 'index.db')),
    guidelines,
    embedder: quickEmbedder,
  });
  const query = 'levothyroxine in pregnancy';
  const ids = async (mode: 'words' | 'meaning' | 'fused') =>
    (await index.search(query, 20, mode)).map(({ id }) => id);
  const [words, meaning, fused] = await Promise.all([ids('words'), ids('meaning'), ids('fused')]);
  const scoreOf = (id: string): number =>
    [words, meaning].reduce((sum, list) => sum + (list.includes(id) ? 1 / (61 + list.indexOf(id)) : 0), 0);
  const expected = [...new Set([...words, ...meaning])].toSorted(
    (a, b) => scoreOf(b) - scoreOf(a) || (a < b ? -1 : 1),
  );
  assert.deepEqual(fused, expected.slice(0, 20));
  index.close();
});
