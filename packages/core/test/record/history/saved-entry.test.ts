import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProjectKey } from '../../../src/record/history/folders/project-folders.js';
import { isEntrySaved } from '../../../src/record/history/sessions/saved-entry.js';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-saved-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const isSaved = (uuid: string): Promise<boolean> =>
  isEntrySaved('s', uuid, { dir: home, env: { CLAUDE_CONFIG_DIR: home } });

it('finds an entry once it is written, and not its mention by another', async () => {
  expect(await isSaved('a')).toBe(false);
  const folder = join(home, 'projects', createProjectKey(home));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 's.jsonl'), '{"parentUuid":"a","uuid":"b"}\n');
  expect(await isSaved('a')).toBe(false);
  expect(await isSaved('b')).toBe(true);
});

it('looks at the end of a transcript that is large', async () => {
  const folder = join(home, 'projects', createProjectKey(home));
  mkdirSync(folder, { recursive: true });
  const filler = `{"uuid":"old","text":"${'x'.repeat(5_000_000)}"}\n`;
  writeFileSync(join(folder, 's.jsonl'), `${filler}{"uuid":"new"}\n`);
  expect(await isSaved('new')).toBe(true);
});
