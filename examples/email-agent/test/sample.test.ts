// The sample that this example began with, as somebody else wrote it, in a process of its own, on the real CLI.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startOffline, text, toolUse } from 'inboard/testing';

test('The sample of the design note runs as it is: a plain object as a tool, JSON Schema, a raw value as its result', async () => {
  const told: string[] = [];
  await using offline = await startOffline([
    toolUse('mcp__email-api__email_getInbox', { limit: 2 }),
    ({ answer }) => {
      told.push(answer.text);
      return text('You have two mails.');
    },
  ]);
  const { env } = offline.options;
  // The sample asks nobody for permission, so the settings of the user have to give it.
  const settings = { permissions: { allow: ['mcp__email-api__email_getInbox'] } };
  writeFileSync(join(env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json'), JSON.stringify(settings));

  const program = ['jiti/register', './test/fixtures/email-api.mjs'].flatMap((file) => ['--import', file]);
  program.push('test/fixtures/email-agent-sample.ts');
  const cwd = join(import.meta.dirname, '..');
  const { stdout } = await promisify(execFile)(process.execPath, program, { env, cwd });

  assert.equal(stdout, 'asked for 2\n');
  const inbox = [1, 2].map((number) => ({ from: `friend${number}@x.example`, subject: `Mail ${number}` }));
  assert.deepEqual(
    told.map((one) => JSON.parse(one) as unknown),
    [inbox],
  );
});
