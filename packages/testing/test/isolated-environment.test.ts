import { existsSync, realpathSync } from 'node:fs';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createIsolatedEnvironment } from '@inboard/inboard/testing.js';
import type { IsolatedEnvironment, IsolatedEnvironmentOptions } from '@inboard/inboard/testing.js';

const baseUrl = 'http://127.0.0.1:12345';
let made: IsolatedEnvironment | undefined;
const create = async (options: Partial<IsolatedEnvironmentOptions> = {}): Promise<IsolatedEnvironment> => {
  made = await createIsolatedEnvironment({ baseUrl, ...options });
  return made;
};
afterEach(async () => {
  vi.unstubAllEnvs();
  await made?.remove();
  made = undefined;
});

describe('createIsolatedEnvironment', () => {
  it('makes folders of its own, by their real path, and an empty one to work in', async () => {
    const { env, home, configDir, cwd } = await create();
    const folders = [home, configDir, cwd, env['TMPDIR'] ?? ''];
    expect(folders.map((folder) => realpathSync(folder))).toEqual(folders);
    expect(new Set(folders).size).toBe(4);
    expect(await readdir(cwd)).toEqual([]);
    expect(env).toMatchObject({ HOME: home, CLAUDE_CONFIG_DIR: configDir, ANTHROPIC_BASE_URL: baseUrl });
    const root = home.slice(0, home.lastIndexOf(sep));
    expect(folders.every((folder) => folder.startsWith(root + sep))).toBe(true);
  });

  it('resolves a temporary folder behind a link to its real path', async () => {
    const outer = await create();
    const link = join(outer.home, 'link');
    // A junction needs no rights on Windows; elsewhere the kind is ignored.
    await symlink(outer.cwd, link, 'junction');
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, link);
    const inner = await createIsolatedEnvironment({ baseUrl });
    expect(inner.cwd.startsWith(outer.cwd + sep)).toBe(true);
    await inner.remove();
  });

  it('takes nothing from the machine but what programs need to start', async () => {
    const secrets = [
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'AWS_SECRET_ACCESS_KEY',
      'CLAUDE_CODE_USE_BEDROCK',
      'ALL_PROXY',
      'NODE_OPTIONS',
      'SOME_TOKEN',
    ];
    for (const name of secrets) vi.stubEnv(name, 'from the machine');
    for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'HTTPS_PROXY', 'https_proxy', 'HOME']) {
      vi.stubEnv(name, 'from the machine');
    }
    const { env } = await create();
    expect(Object.values(env)).not.toContain('from the machine');
    expect(secrets.filter((name) => name in env)).toEqual([]);
    expect(env['PATH']).toBe(process.env['PATH']);
  });

  it('keeps the CLI quiet and sends everything but loopback nowhere', async () => {
    const { env } = await create();
    expect(env).toMatchObject({
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      IS_SANDBOX: '1',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost,::1',
    });
    expect(env['ANTHROPIC_API_KEY']).toMatch(/not-a-real-key/);
  });

  it('adds, replaces and takes out what is asked for', async () => {
    const extra = { CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '0', DISABLE_TELEMETRY: undefined };
    const { env } = await create({ extra });
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '0' });
    expect(Object.hasOwn(env, 'DISABLE_TELEMETRY')).toBe(false);
  });

  it.each([
    [undefined, {}],
    ['false', { toolSearch: false }],
    ['auto', { toolSearch: false, extra: { ENABLE_TOOL_SEARCH: 'auto' } }],
  ])('leaves tool search as in production, unless told: %s', async (mode, options) => {
    expect((await create(options)).env['ENABLE_TOOL_SEARCH']).toBe(mode);
  });

  it.each([
    'http://127.0.0.1',
    'https://localhost:8443/prefix',
    'http://[::1]:80',
    'http://127.8.8.8:1',
    'http://127.1:2',
  ])('takes %s', async (address) => {
    expect((await create({ baseUrl: address })).env['ANTHROPIC_BASE_URL']).toBe(address);
  });

  it.each([
    'https://api.anthropic.com',
    'http://127.0.0.1.example.com',
    'http://127.0.0.1@example.com',
    'http://localhost.example.com',
    'http://0.0.0.0:1',
    'http://10.0.0.1',
    'ftp://127.0.0.1',
    '127.0.0.1:80',
    '',
  ])('refuses %j', async (address) => {
    const refusal = { code: 'INVALID_OPTIONS', options: ['baseUrl'] };
    await expect(create({ baseUrl: address })).rejects.toMatchObject(refusal);
  });

  it.each(['https://example.com', undefined])(
    'refuses %j as a base URL through the back door',
    async (address) => {
      const refusal = { code: 'INVALID_OPTIONS', options: ['extra.ANTHROPIC_BASE_URL'] };
      await expect(create({ extra: { ANTHROPIC_BASE_URL: address } })).rejects.toMatchObject(refusal);
    },
  );

  it('removes everything, also twice and at the end of a scope', async () => {
    const first = await create();
    await writeFile(join(first.cwd, 'file'), 'x');
    await Promise.all([first.remove(), first.remove()]);
    await first.remove();
    expect(existsSync(join(first.home, '..'))).toBe(false);
    const second = await create();
    await second[Symbol.asyncDispose]();
    expect(existsSync(second.home)).toBe(false);
  });
});
