// What the doctor makes of what it finds, without a CLI; the sessions are in test/e2e/cli.test.ts.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/terminal/command-line.js';
import type { Check } from '../../src/cli/doctor/check.js';
import { checkVersion } from '../../src/cli/doctor/check-cli.js';
import { checkNode, checkPackage } from '../../src/cli/doctor/check-host.js';
import { judgeAccount } from '../../src/cli/doctor/check-login.js';
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
    const other = writeProgram(
      'other.mjs',
      `
      if (!process.argv.includes('--version')) {
        console.log('Welcome!');
        process.stdin.resume();
      }
    `,
    );
    const { checks } = await diagnose(other, ['--timeout', '1']);
    expect(checks['version']).toMatchObject({
      status: 'note',
      detail: expect.stringContaining('gives no version') as string,
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
});
