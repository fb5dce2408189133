// The table of settings beside the real CLI 2.1.325, which says of a settings file what in it cannot be used. A setting
// that the CLI no longer checks, or checks otherwise, fails here.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BAD, type Reader } from '../../packages/core/src/record/settings/table/setting-readers.js';
import { SETTINGS_TABLE } from '../../packages/core/src/record/settings/table/settings-table.js';
import { newCli } from './support/cli.js';
import { onStage } from './support/stage.js';
import { openTalk, readRest } from './support/talk.js';

/** Each setting refuses one of these. */
const WRONG_VALUES: readonly unknown[] = [5, 'wrong', -1, { PreToolUse: 5 }];

function isRefused(read: Reader, value: unknown): boolean {
  return read(value, () => {}) === BAD;
}

/** Every setting whose unusable value costs that much, with one that the table refuses. */
function listWrong(costs: 'file' | 'key'): Record<string, unknown> {
  const rules = [...SETTINGS_TABLE].filter(([, rule]) => rule.costs === costs);
  return Object.fromEntries(
    rules.map(([name, { read }]) => [name, WRONG_VALUES.find((value) => isRefused(read, value))]),
  );
}

async function askCli(settings: Record<string, unknown>) {
  let answer: { effective?: unknown; errors?: { path: string }[] } = {};
  await onStage(newCli, { script: [], options: { settingSources: ['user'] } }, async (stage) => {
    await writeFile(join(stage.home.configDir, 'settings.json'), JSON.stringify(settings));
    const talk = openTalk();
    const { query } = stage.start(talk.prompt);
    answer = (await query.getSettings()) as typeof answer;
    talk.end();
    await readRest(query);
  });
  return answer;
}

describe.concurrent('the table of settings', () => {
  it('knows which settings make the CLI refuse a file', async () => {
    const wrong = listWrong('file');
    const { effective, errors = [] } = await askCli(wrong);
    expect(effective).toEqual({});
    const refused = new Set(errors.map(({ path }) => path.split('.')[0]));
    expect(refused).toEqual(new Set(Object.keys(wrong)));
  });

  it('knows which settings cost only themselves, and which may be null', async () => {
    const nullable = [...SETTINGS_TABLE].filter(([, { read }]) => !isRefused(read, null));
    const nulls = Object.fromEntries(nullable.map(([name]) => [name, null]));
    const { effective, errors } = await askCli({ language: 'French', ...nulls, ...listWrong('key') });
    expect(errors).toBeUndefined();
    expect(effective).toEqual({ language: 'French' });
  });
});
