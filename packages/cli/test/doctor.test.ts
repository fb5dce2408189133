// What the doctor makes of what it finds, without a CLI; the sessions are in test/e2e/cli.test.ts.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../src/terminal/command-line.js';
import type { Check } from '../src/doctor/check.js';
import { checkVersion } from '../src/doctor/check-cli.js';
import { checkNode, checkPackage } from '../src/doctor/check-host.js';
import { judgeAccount, judgeStart } from '../src/doctor/check-login.js';
import { InboardError } from '@inboard/core/errors.js';
import {
  checkOptionalPackages,
  describePackage,
  isInRange,
  PACKAGE_USES,
} from '../src/doctor/optional-packages.js';
import { readProjectFile } from '../../../test/package/project.js';
import { judgeTools } from '../src/doctor/check-tools-file.js';
import type { ToolCauseKind } from '@inboard/core/answer/diagnosis/diagnose-tool.js';
import { createFakeTerminal } from './fake-terminal.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inboard-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeProgram(name: string, text: string | Buffer, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

async function diagnose(cli: string, args: string[] = []) {
  const terminal = createFakeTerminal({ cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } });
  const code = await runCommandLine(['doctor', '--json', '--cli', cli, ...args], terminal);
  await turn();
  const { ok, checks } = JSON.parse(terminal.written().stdout) as { ok: boolean; checks: Check[] };
  return { code, ok, checks: Object.fromEntries(checks.map((check) => [check.id, check])) };
}

describe('the tools of a file', () => {
  const found = { id: 'tools-file', title: 'Tools of tools.mjs' };
  const cause = (kind: ToolCauseKind) => ({ kind, reason: `why it is ${kind}`, advice: `Mend ${kind}.` });
  const tool = (name: string, ...kinds: ToolCauseKind[]) => ({
    name,
    toolName: name,
    causes: kinds.map(cause),
  });

  it('are counted, and those with a cause explained', () => {
    expect(judgeTools([tool('a'), tool('b', 'deferred', 'renamed'), tool('c', 'shadowed')], found)).toEqual([
      { ...found, status: 'ok', detail: '3 tools; the model sees 1 of them from the start' },
      {
        id: 'tool b',
        title: 'b',
        status: 'note',
        detail: 'deferred: why it is deferred; renamed: why it is renamed',
        advice: 'Mend deferred. Mend renamed.',
      },
      expect.objectContaining({ id: 'tool c', status: 'failed' }),
    ]);
  });

  it('are a failure when the file cannot be loaded, and skipped without a CLI', async () => {
    const nowhere = join(folder, 'nowhere');
    expect((await diagnose(nowhere, ['absent.mjs'])).checks['tools-file']).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('absent.mjs') as string,
    });
    writeFileSync(join(folder, 'tools.mjs'), 'export const t = { name: "t", run: () => "" };');
    expect((await diagnose(nowhere, ['tools.mjs'])).checks['tools-file']).toMatchObject({
      status: 'skipped',
      detail: 'no CLI',
    });
  });
});

describe('doctor', () => {
  it('says that a CLI is missing, and what to do', async () => {
    const { code, ok, checks } = await diagnose(join(folder, 'nowhere'));
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    expect(checks['executable']).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/--cli names .*nowhere, which does not exist/) as string,
      advice: expect.stringContaining('npm install @anthropic-ai/claude-code') as string,
    });
    expect(checks['handshake']?.status).toBe('skipped');
    expect(checks['login']?.status).toBe('skipped');
  });

  it('prints what failed first, and breaks lines between words', async () => {
    const terminal = createFakeTerminal({
      cwd: folder,
      isTTY: true,
      env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1', TERM: 'dumb' },
    });
    expect(await runCommandLine(['doctor', '--cli', join(folder, 'nowhere')], terminal)).toBe(1);
    await turn();
    const lines = terminal.written().stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^FAILED +Claude CLI: INBOARD_CLI or --cli names/);
    expect(lines.at(-1)).toBe('One thing is broken: Claude CLI.');
    const marks = lines.map((line) => /^(?:FAILED|note|ok|skipped) /.exec(line)?.[0].trim()).filter(Boolean);
    expect(marks.lastIndexOf('FAILED')).toBe(0);
    // Only a line that is one word, such as a path, may be longer than the terminal.
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(' '))).toEqual([]);
    expect(lines.filter((line) => /^ {8}jiti \S+: for tools files .* 22\.18, or$/.test(line))).toHaveLength(
      1,
    );
  });

  it('says that a file may not be executed, or is for another machine', async () => {
    const plain = writeProgram('plain', 'hello', 0o644);
    expect((await diagnose(plain)).checks['executable']).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('chmod +x') as string,
    });
    const header = Buffer.alloc(2 * 1024 * 1024);
    header.writeUInt32BE(process.platform === 'darwin' ? 0x7f454c46 : 0xcffaedfe, 0);
    const foreign = writeProgram('foreign', header);
    expect((await diagnose(foreign)).checks['executable']).toMatchObject({ status: 'failed' });
  });

  it('says how a CLI ends that crashes, and that it is too old', async () => {
    const crashing = writeProgram(
      'crash.mjs',
      `
      if (process.argv.includes('--version')) console.log('1.0.5 (Claude Code)');
      else { console.error('no such luck'); process.exitCode = 3; }
    `,
    );
    const { code, checks } = await diagnose(crashing);
    expect(code).toBe(1);
    expect(checks['version']).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('1.0.5 is too old') as string,
      // Installing alone would not help: what is named wins.
      advice: expect.stringMatching(/leave out --cli and INBOARD_CLI and run "npm install/) as string,
    });
    expect(checks['handshake']).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/exited with code 3[\s\S]*no such luck/) as string,
    });
    expect(checks['tools']?.status).toBe('skipped');
    expect(checks['login']?.status).toBe('skipped');
  });

  it('says what a program writes that is no CLI, and does not wait for it for ever', async () => {
    // A shell speaks long before its time is over, also on a busy machine.
    const other = writeProgram(
      'other',
      '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho Welcome!\nwhile read -r line; do :; done\n',
    );
    const { checks } = await diagnose(other, ['--timeout', '2']);
    expect(checks['version']).toMatchObject({
      status: 'note',
      detail: expect.stringContaining('prints no version') as string,
    });
    expect(checks['handshake']).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/did not answer[\s\S]*Welcome!/) as string,
      advice: expect.stringContaining('does not answer') as string,
    });
  });
});

describe('the checks', () => {
  it.each([
    ['2.1.33', 'note'],
    ['2.1.200', 'note'],
    ['2.1.325', 'ok'],
    ['3.0.0', 'ok'],
    ['2.1.32', 'failed'],
  ])('take version %s for %s', async (version, status) => {
    const found = { path: '/claude', kind: 'native', source: 'package', version } as const;
    expect(await checkVersion(found, createFakeTerminal())).toMatchObject({ status });
  });

  it.each([
    [{ apiKeySource: 'ANTHROPIC_API_KEY', tokenSource: 'none' }, 'ok', 'an API key (ANTHROPIC_API_KEY)'],
    [
      { tokenSource: 'CLAUDE_CODE_OAUTH_TOKEN', email: 'a@b.c' },
      'ok',
      'a token (CLAUDE_CODE_OAUTH_TOKEN); a@b.c',
    ],
    [{ tokenSource: 'none', apiProvider: 'bedrock' }, 'ok', 'bedrock'],
    [{ subscriptionType: 'Claude API' }, 'ok', 'Claude API'],
    [{ tokenSource: 'none', apiProvider: 'firstParty' }, 'failed', 'nobody is logged in'],
    [{}, 'failed', 'nobody is logged in'],
  ])('take the account %j for %s', (account, status, detail) => {
    const check = judgeAccount(account as Parameters<typeof judgeAccount>[0], {});
    expect(check).toMatchObject({ status, detail: expect.stringContaining(detail) as string });
  });

  it('fail without an account only where a run would reach a real model', () => {
    const nobody = { tokenSource: 'none' };
    expect(judgeAccount(nobody, { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4010' })).toMatchObject({
      status: 'note',
      detail: expect.stringContaining('127.0.0.1:4010 is on this machine') as string,
      advice: expect.stringContaining('ANTHROPIC_API_KEY') as string,
    });
    expect(judgeAccount(nobody, { ANTHROPIC_BASE_URL: 'https://gateway.example' }).status).toBe('failed');
    const bedrock = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4010', CLAUDE_CODE_USE_BEDROCK: '1' };
    expect(judgeAccount(nobody, bedrock).status).toBe('failed');
    expect(
      judgeStart(new InboardError('LIVE_RUN_FORBIDDEN', 'INBOARD_FORBID_LIVE forbids it')),
    ).toMatchObject({
      status: 'note',
      detail: expect.stringContaining('INBOARD_FORBID_LIVE is set') as string,
    });
    expect(judgeStart(new Error('no start'))).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('no start') as string,
    });
  });

  it('know when Node is too old', () => {
    expect(checkNode(folder, '18.20.0')).toMatchObject({
      status: 'failed',
      advice: expect.anything() as string,
    });
    expect(checkNode(folder).status).not.toBe('failed');
  });

  it('find a second copy of the package', () => {
    expect(checkPackage(folder).status).toBe('ok');
    const copy = join(folder, 'node_modules', 'some-tools', 'node_modules', 'inboard');
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, 'package.json'), '{"name":"inboard","version":"9.9.9"}');
    expect(checkPackage(folder)).toMatchObject({
      status: 'note',
      detail: expect.stringContaining('9.9.9 at') as string,
    });
  });

  it('list every optional package of the manifest: whether it is there, which version, and what for', () => {
    const { peerDependencies } = JSON.parse(readProjectFile('package.json')) as {
      peerDependencies: Record<string, string>;
    };
    expect(Object.keys(PACKAGE_USES)).toEqual(Object.keys(peerDependencies));
    const install = (name: string, version: string): void => {
      const home = join(folder, 'node_modules', name);
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version }));
    };
    install('jiti', '2.9.1');
    const { status, packages = [] } = checkOptionalPackages(join(folder, 'deeper', 'still'));
    expect(status).toBe('ok');
    expect(packages.map(({ name, range }) => [name, range])).toEqual(Object.entries(peerDependencies));
    expect(packages.find(({ name }) => name === 'jiti')).toMatchObject({ version: '2.9.1' });
    expect(packages.map(describePackage)).toContainEqual(
      expect.stringMatching(/^jiti 2\.9\.1: for tools files in TypeScript/),
    );
    install('@modelcontextprotocol/server', '1.0.0');
    const old = checkOptionalPackages(folder);
    expect(old).toMatchObject({
      status: 'note',
      advice: expect.stringContaining(`npm install @modelcontextprotocol/server@'^2.4.0'`) as string,
    });
    expect(old.packages?.map(describePackage)).toContain(
      '@modelcontextprotocol/server 1.0.0 (^2.4.0): for "inboard serve"',
    );
    expect(describePackage({ name: 'a', version: null, range: '*', use: 'b' })).toBe('a absent: for b');
  });

  it.each([
    ['2.4.0', '^2.4.0', true],
    ['2.10.1', '^2.4.0', true],
    ['2.3.9', '^2.4.0', false],
    ['3.0.0', '^2.4.0', false],
    ['3.0.0', '>=2.1.33', true],
    ['2.1.32', '>=2.1.33', false],
    ['0.0.1', '*', true],
  ])('take %s in %s for %s', (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });
});
