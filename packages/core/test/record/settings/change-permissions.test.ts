// Changes of permissions in a settings file that an editor on Windows has written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changePermissionsInFile } from '../../../src/record/settings/change-permissions.js';
import type { PermissionUpdate } from '../../../src/wire/protocol/control/permissions.js';

const UPDATE: PermissionUpdate = {
  type: 'addRules',
  behavior: 'allow',
  destination: 'localSettings',
  rules: [{ toolName: 'Bash', ruleContent: 'dir' }],
};

let file: string;
beforeEach(() => void (file = join(mkdtempSync(join(tmpdir(), 'change-permissions-')), 'settings.json')));
afterEach(() => rmSync(join(file, '..'), { recursive: true, force: true }));

it.each([
  ['a byte order mark', '\uFEFF{ "model": "opus" }'],
  ['CRLF', '{\r\n  "model": "opus"\r\n}\r\n'],
  ['a byte order mark and nothing else', '\uFEFF\r\n'],
])('are made in a file with %s', async (_, content) => {
  writeFileSync(file, content);
  await changePermissionsInFile(file, [UPDATE]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...(content.includes('opus') && { model: 'opus' }),
    permissions: { allow: ['Bash(dir)'] },
  });
});
