// What goes to the other host: what was asked for, and no more.
import { describe, expect, it, onTestFinished } from 'vitest';
import { InMemorySessionStore } from '@inboard/core/record/history/store/in-memory-session-store.js';
import { chooseVariables, planTravel } from '../src/home/travel.js';
import { placeholderOf, readStart } from '../src/wire/messages.js';
import { query } from '@inboard/core/verbs/query/query.js';
import type { TransportFactory, TransportRequest } from '@inboard/core/wire/transport/transport.js';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Options } from '@inboard/core/options/options.js';

describe('chooseVariables', () => {
  const hostEnv = { PATH: '/bin', AWS_SECRET: 's', ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_ENTRYPOINT: 'cli' };

  it('leaves the environment of this process here, also where the caller copied it', () => {
    const env = { ...hostEnv, MINE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' };
    expect(chooseVariables({ env, hostEnv }, [])).toEqual({ MINE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' });
  });

  it.each([
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_AGENT_SDK_VERSION',
    'CLAUDE_CODE_SDK_READS_SESSION_STATE',
    'CLAUDE_CODE_RESUME_INTERRUPTED_TURN',
    'CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS',
  ])('takes along %s, which this library sets, even if this process has it', (name) => {
    expect(
      chooseVariables({ env: { [name]: '1', PATH: '/bin' }, hostEnv: { [name]: '1', PATH: '/bin' } }, []),
    ).toEqual({
      [name]: '1',
    });
  });

  it('takes along what is named', () => {
    expect(chooseVariables({ env: hostEnv, hostEnv }, ['ANTHROPIC_*'])).toMatchObject({
      ANTHROPIC_API_KEY: 'k',
    });
    expect(chooseVariables({ env: hostEnv, hostEnv }, ['ANTHROPIC_*'])).not.toHaveProperty('AWS_SECRET');
  });

  it('leaves the folder of a restored session here', () => {
    const env = { CLAUDE_CONFIG_DIR: '/tmp/x' };
    const restored = { configDir: '/tmp/x', projectDir: '/tmp/x/projects/y' };
    expect(chooseVariables({ env, hostEnv: {}, restored }, ['*'])).toEqual({});
    expect(chooseVariables({ env, hostEnv: {} }, [])).toEqual(env);
    expect(chooseVariables({ env: { GONE: undefined }, hostEnv: { GONE: 'x' } }, ['*'])).toEqual({});
  });
});

describe('planTravel', () => {
  it('names the files by their places, and leaves the other arguments as they are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inboard-travel-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const projectDir = join(folder, 'projects', 'x');
    mkdirSync(join(projectDir, 'id', 'subagents'), { recursive: true });
    const settings = join(folder, 'settings.json');
    writeFileSync(settings, '{}');
    writeFileSync(join(projectDir, 'id.jsonl'), 'one');
    writeFileSync(join(projectDir, 'id', 'subagents', 'a.jsonl'), 'three');
    const { start, paths } = await planTravel(
      {
        args: ['--settings', settings, '--verbose'],
        env: {},
        cwd: '/srv',
        hostEnv: {},
        files: [settings],
        restored: { configDir: folder, projectDir },
      },
      [],
    );
    expect(start.args).toEqual(['--settings', placeholderOf(0), '--verbose']);
    expect(start.files.toSorted((one, other) => one.size - other.size)).toEqual([
      { kind: 'argument', path: 'settings.json', size: 2 },
      { kind: 'session', path: 'id.jsonl', size: 3 },
      { kind: 'session', path: 'id/subagents/a.jsonl', size: 5 },
    ]);
    expect(paths.map((path) => readFileSync(path).length)).toEqual(start.files.map(({ size }) => size));
  });
});

/** What a factory that carries files is asked for; it then refuses, so that nothing runs. */
async function requestOf(options: Options, look: (request: TransportRequest) => void): Promise<void> {
  const transport: TransportFactory = Object.assign(
    (request: TransportRequest) => {
      look(request);
      throw new Error('seen');
    },
    { carriesFiles: true, cwd: '/srv/work', projectKeyFor: (cwd: string | undefined) => `key of ${cwd}` },
  );
  await expect(query({ prompt: 'Hi', options: { ...options, transport } }).next()).rejects.toThrow('seen');
}

describe('a factory that carries files', () => {
  it('is told of private files, which are gone afterwards', async () => {
    let file = '';
    await requestOf({ settings: { model: 'secret-model' } }, ({ args, cwd, files = [], hostEnv }) => {
      file = files[0] ?? '';
      expect(cwd).toBe('/srv/work');
      expect(args).toContain(file);
      expect(readFileSync(file, 'utf8')).toContain('secret-model');
      expect(args.join(' ')).not.toContain('secret-model');
      expect(hostEnv).toMatchObject({ PATH: process.env['PATH'] });
    });
    expect(existsSync(file)).toBe(false);
  });

  it('is told of a restored session, found under its own key, without the login of this machine', async () => {
    const sessionStore = new InMemorySessionStore();
    const sessionId = '11111111-2222-4333-8444-555555555555';
    await sessionStore.append({ projectKey: 'key of /srv/work', sessionId }, [{ type: 'user', uuid: 'u' }]);
    let asked = 0;
    await requestOf({ sessionStore, resume: sessionId }, ({ restored, env }) => {
      asked += 1;
      expect(readdirSync(restored?.projectDir ?? '')).toEqual([`${sessionId}.jsonl`]);
      expect(dirname(dirname(restored?.projectDir ?? ''))).toBe(restored?.configDir);
      expect(readdirSync(join(restored?.configDir ?? ''))).toEqual(['projects']);
      expect(env['CLAUDE_CONFIG_DIR']).toBe(restored?.configDir);
    });
    expect(asked).toBe(1);
  });
});

describe('a factory whose functions fail', () => {
  const create = (parts: Partial<TransportFactory>): TransportFactory =>
    Object.assign(() => Promise.reject(new Error('not reached')), { carriesFiles: true, ...parts });
  const fail = (): never => {
    throw new Error('it broke');
  };

  it.each([fail, () => Promise.reject(new Error('it broke'))])('askVersion: %s', async (askVersion) => {
    const transport = create({ askVersion });
    // A recording names the version, so it must be known.
    const options = { transport, trace: { write: () => {} } };
    await expect(query({ prompt: 'Hi', options }).next()).rejects.toThrow('it broke');
  });

  it('projectKeyFor', async () => {
    const options = { transport: create({ projectKeyFor: fail }), sessionStore: new InMemorySessionStore() };
    const resume = '11111111-2222-4333-8444-555555555555';
    const start = async () => await query({ prompt: 'Hi', options: { ...options, resume } }).next();
    await expect(start()).rejects.toThrow('it broke');
  });
});

describe('a start', () => {
  const start = { args: [], env: {}, cwd: '.', files: [] };
  const encode = (change: object): Buffer => Buffer.from(JSON.stringify({ ...start, ...change }));

  it.each([
    { args: 'no list' },
    { args: [1] },
    { env: { A: 1 } },
    { cwd: 7 },
    { files: [{ kind: 'session', path: '../up', size: 1 }] },
    { files: [{ kind: 'session', path: '/etc/passwd', size: 1 }] },
    { files: [{ kind: 'session', path: 'a//b', size: 1 }] },
    { files: [{ kind: 'session', path: 'a\\..\\b', size: 1 }] },
    { files: [{ kind: 'session', path: 'C:x', size: 1 }] },
    { files: [{ kind: 'session', path: 'x', size: -1 }] },
    { files: [{ kind: 'other', path: 'x', size: 1 }] },
  ])('that is not one is refused: %j', (change) => {
    expect(() => readStart(encode(change))).toThrow('a start message that cannot be read');
  });

  it('with files is read', () => {
    const files = [{ kind: 'session', path: 'id/subagents/a.jsonl', size: 3 }];
    expect(readStart(encode({ files }))).toEqual({ ...start, files });
  });
});
