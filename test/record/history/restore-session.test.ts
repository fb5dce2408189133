// Laying a stored session out for the CLI: what is written, for whose eyes, and that nothing of it stays.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbortError, InvalidOptionsError, SessionStoreError } from '../../../src/errors.js';
import type { SessionStore } from '../../../src/wire/protocol/config/session-store.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { restoreSession, type RestoredSession } from '../../../src/record/history/store/restore-session.js';
import { watchHost, type HostWatch } from '../../support/watch-host.js';
import { idOf, SESSION, textOf, user } from './support/entries.js';

const CWD = '/x/y';
const KEY = { projectKey: '-x-y', sessionId: SESSION };
const ENTRIES = [user(2, 'hello'), user(3, 'again', { parent: 2 })] as never[];

let host: HostWatch;
let home: string;
let restored: RestoredSession | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'inboard-home-'));
  host = watchHost();
  restored = undefined;
});

afterEach(async () => {
  await restored?.remove();
  await restored?.remove();
  await host.expectClean();
  host.stop();
  rmSync(home, { recursive: true, force: true });
});

async function createStore(): Promise<InMemorySessionStore> {
  const store = new InMemorySessionStore();
  await store.append(KEY, ENTRIES);
  return store;
}

async function restore(
  more: Partial<Parameters<typeof restoreSession>[0]> & { store: SessionStore },
): Promise<string> {
  restored = await restoreSession({ cwd: CWD, resume: SESSION, env: { CLAUDE_CONFIG_DIR: home }, ...more });
  if (restored === undefined) throw new Error('nothing was restored');
  return restored.configDir;
}

/** Paths with their permissions. */
function listModes(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => [path, (lstatSync(join(folder, path)).mode & 0o777).toString(8)]),
  );
}

describe('a session to resume', () => {
  it('is loaded under the key of its project, and written where the CLI looks for it', async () => {
    const store = new InMemorySessionStore();
    const key = { projectKey: 'shop', sessionId: SESSION };
    await store.append(key, ENTRIES);
    await store.append({ ...key, subpath: 'subagents/agent-a' }, ENTRIES);
    await expect(restoreSession({ store, cwd: CWD, resume: SESSION })).resolves.toBeUndefined();
    const configDir = await restore({ store, projectKey: 'shop' });
    const paths = Object.keys(listModes(join(configDir, 'projects')));
    expect(paths).toContain(`-x-y/${SESSION}.jsonl`);
    expect(paths).toContain(`-x-y/${SESSION}/subagents/agent-a.jsonl`);
    await restored?.remove();
    await restore({ store, projectKey: 'shop', resume: undefined, continue: true });
    expect(restored?.sessionId).toBe(SESSION);
  });

  it('is written where the CLI looks for it, for the owner alone', async () => {
    const configDir = await restore({ store: await createStore() });
    expect(restored?.sessionId).toBe(SESSION);
    expect((statSync(configDir).mode & 0o777).toString(8)).toBe('700');
    expect(listModes(configDir)).toEqual({
      projects: '700',
      'projects/-x-y': '700',
      [`projects/-x-y/${SESSION}.jsonl`]: '600',
    });
    expect(readFileSync(join(configDir, 'projects/-x-y', `${SESSION}.jsonl`), 'utf8')).toBe(textOf(ENTRIES));
  });

  it('brings its subagents, and the last notes about each', async () => {
    const store = await createStore();
    await store.append({ ...KEY, subpath: 'subagents/agent-a' }, [
      { type: 'agent_metadata', agentType: 'first' },
      { type: 'user', uuid: idOf(9) },
      { type: 'agent_metadata', agentType: 'last', toolUseId: 'toolu_1' },
    ]);
    await store.append({ ...KEY, subpath: 'subagents/deep/agent-b' }, [{ type: 'user', uuid: idOf(8) }]);
    const folder = join(await restore({ store }), 'projects/-x-y', SESSION, 'subagents');
    expect(listModes(folder)).toEqual({
      'agent-a.jsonl': '600',
      'agent-a.meta.json': '600',
      deep: '700',
      'deep/agent-b.jsonl': '600',
    });
    expect(readFileSync(join(folder, 'agent-a.jsonl'), 'utf8')).toBe(`{"type":"user","uuid":"${idOf(9)}"}\n`);
    expect(JSON.parse(readFileSync(join(folder, 'agent-a.meta.json'), 'utf8'))).toEqual({
      agentType: 'last',
      toolUseId: 'toolu_1',
    });
  });

  it('does without subagents where the store cannot list them, or has lost one', async () => {
    const store = await createStore();
    const configDir = await restore({
      store: {
        append: (...given) => store.append(...given),
        load: (key) => store.load(key),
        listSubkeys: () => Promise.resolve(['subagents/agent-lost']),
      },
    });
    expect(readdirSync(join(configDir, 'projects/-x-y'))).toEqual([`${SESSION}.jsonl`]);
  });

  it('is not led out of its folder by a store', async () => {
    const store = await createStore();
    const bad = [
      '../evil',
      '/abs',
      'a/../../evil',
      'a\\b',
      'c:x',
      '',
      '.',
      'a//b',
      'nul\0',
      5 as unknown as string,
    ];
    for (const subpath of bad) await store.append({ ...KEY, subpath }, [{ type: 'user' }]);
    const configDir = await restore({
      store: {
        append: (...given) => store.append(...given),
        load: (key) => store.load(key),
        listSubkeys: () => Promise.resolve(bad),
      },
    });
    expect(Object.keys(listModes(configDir))).toHaveLength(3);
  });

  it('may be large', async () => {
    const store = new InMemorySessionStore();
    const entries = Array.from({ length: 40 }, (_, index) => user(index, 'é'.repeat(100_000))) as never[];
    await store.append(KEY, entries);
    const configDir = await restore({ store });
    expect(readFileSync(join(configDir, 'projects/-x-y', `${SESSION}.jsonl`), 'utf8')).toBe(textOf(entries));
  });

  it.each([
    ['the store has none', SESSION, null],
    ['the store has it empty', SESSION, []],
    ['it is no list', SESSION, {} as never],
    ['it is no id', 'my title', ENTRIES],
  ])('is left to the CLI when %s', async (_, resume, loaded) => {
    const store = { append: () => Promise.resolve(), load: () => Promise.resolve(loaded) };
    expect(
      await restoreSession({ store, resume, cwd: CWD, env: { CLAUDE_CONFIG_DIR: home } }),
    ).toBeUndefined();
  });
});

describe('a session to continue', () => {
  it('is the newest that is not a subagent’s', async () => {
    const store = new InMemorySessionStore();
    await store.append({ ...KEY, sessionId: idOf(5) }, ENTRIES);
    await store.append(KEY, ENTRIES);
    await store.append({ ...KEY, sessionId: idOf(6) }, [{ type: 'user', isSidechain: true }]);
    await store.append({ ...KEY, sessionId: idOf(7) }, []);
    await restore({ store, resume: undefined, continue: true });
    expect(restored?.sessionId).toBe(SESSION);
  });

  it('need not be there', async () => {
    const store = new InMemorySessionStore();
    expect(await restoreSession({ store, continue: true, cwd: CWD })).toBeUndefined();
    expect(await restoreSession({ store, cwd: CWD })).toBeUndefined();
  });

  it('needs a store that can list', async () => {
    const store = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };
    const error: unknown = await restoreSession({ store, continue: true, cwd: CWD }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect(error).toMatchObject({ options: ['continue', 'sessionStore'] });
  });
});

describe('the user’s config', () => {
  it('comes along, without the token that can be used once', async () => {
    const credentials = { claudeAiOauth: { accessToken: 'a', refreshToken: 'r', scopes: ['s'] }, other: 1 };
    writeFileSync(join(home, '.credentials.json'), JSON.stringify(credentials));
    writeFileSync(join(home, '.claude.json'), '{"notes":1}');
    writeFileSync(join(home, 'settings.json'), '{"model":"m"}');
    writeFileSync(join(home, 'CLAUDE.md'), 'Remember.');
    writeFileSync(join(home, 'history.jsonl'), 'private');
    mkdirSync(join(home, 'agents'));
    writeFileSync(join(home, 'agents', 'mine.md'), 'An agent.');
    mkdirSync(join(home, 'projects', '-other'), { recursive: true });
    const configDir = await restore({ store: await createStore() });
    const read = (path: string): string => readFileSync(join(configDir, path), 'utf8');
    expect(readdirSync(configDir).sort()).toEqual([
      '.claude.json',
      '.credentials.json',
      'CLAUDE.md',
      'agents',
      'projects',
      'settings.json',
    ]);
    expect(JSON.parse(read('.credentials.json'))).toEqual({
      claudeAiOauth: { accessToken: 'a', scopes: ['s'] },
      other: 1,
    });
    expect([read('.claude.json'), read('settings.json'), read('CLAUDE.md'), read('agents/mine.md')]).toEqual([
      '{"notes":1}',
      '{"model":"m"}',
      'Remember.',
      'An agent.',
    ]);
    const {
      '.claude.json': notes,
      '.credentials.json': login,
      'settings.json': settings,
    } = listModes(configDir);
    expect([notes, login, settings]).toEqual(['600', '600', '600']);
    await restored?.remove();
    expect(existsSync(join(home, 'agents', 'mine.md'))).toBe(true);
    expect(JSON.parse(readFileSync(join(home, '.credentials.json'), 'utf8'))).toEqual(credentials);
  });

  it('brings no login where the environment has one, and no token that can be used once', async () => {
    const credentials = {
      claudeAiOauth: { accessToken: 'a', refreshToken: 'r' },
      mcpOAuth: { 'shop|1': { accessToken: 'm', refreshToken: 'once' } },
    };
    writeFileSync(join(home, '.credentials.json'), JSON.stringify(credentials));
    writeFileSync(join(home, '.claude.json'), '{"primaryApiKey":"k","userID":"u"}');
    const env = { CLAUDE_CONFIG_DIR: home, ANTHROPIC_API_KEY: 'given' };
    const configDir = await restore({ store: await createStore(), env });
    const read = (path: string): unknown => JSON.parse(readFileSync(join(configDir, path), 'utf8'));
    expect(read('.credentials.json')).toEqual({ mcpOAuth: { 'shop|1': { accessToken: 'm' } } });
    expect(read('.claude.json')).toEqual({ userID: 'u' });

    await restored?.remove();
    writeFileSync(join(home, '.credentials.json'), '{"claudeAiOauth":{"accessToken":"a"}}');
    const again = await restore({ store: await createStore(), env: { ...env, ANTHROPIC_API_KEY: '' } });
    expect(existsSync(join(again, '.credentials.json')), 'an empty variable is no login').toBe(true);
    await restored?.remove();
    const without = await restore({ store: await createStore(), env });
    expect(existsSync(join(without, '.credentials.json')), 'nothing was left to copy').toBe(false);
  });

  it('brings what is known of this project, and of no other', async () => {
    const projects = { '/x/y': { own: 1 }, '/x': { above: 1 }, '/x/yy': { secret: 1 }, '/z': { secret: 2 } };
    writeFileSync(join(home, '.claude.json'), JSON.stringify({ projects, userID: 'u' }));
    const configDir = await restore({ store: await createStore() });
    expect(JSON.parse(readFileSync(join(configDir, '.claude.json'), 'utf8'))).toEqual({
      projects: { '/x/y': { own: 1 }, '/x': { above: 1 } },
      userID: 'u',
    });
  });

  it('is taken from the home folder of the CLI’s environment', async () => {
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'settings.json'), '{"at":"home"}');
    writeFileSync(join(home, '.claude.json'), '{"beside":"it"}');
    const configDir = await restore({ store: await createStore(), env: { HOME: home, USERPROFILE: home } });
    expect(readFileSync(join(configDir, 'settings.json'), 'utf8')).toBe('{"at":"home"}');
    expect(readFileSync(join(configDir, '.claude.json'), 'utf8')).toBe('{"beside":"it"}');
  });

  it('may be broken', async () => {
    writeFileSync(join(home, '.credentials.json'), 'no JSON');
    mkdirSync(join(home, 'settings.json'));
    const configDir = await restore({ store: await createStore() });
    expect(readdirSync(configDir)).toEqual(['projects']);
  });
});

describe('a store that fails', () => {
  class SlowStore extends InMemorySessionStore {
    override load(): Promise<never> {
      return new Promise(() => {});
    }
  }
  const hang = (): Promise<never> => new Promise(() => {});
  const fail = (): Promise<never> => Promise.reject(new Error('boom'));
  const load: SessionStore['load'] = ({ subpath }) => Promise.resolve(subpath === undefined ? ENTRIES : null);
  const append = (): Promise<void> => Promise.resolve();

  it.each<[string, SessionStore, object, string, RegExp]>([
    [
      'hangs in load',
      new SlowStore(),
      {},
      'SESSION_STORE_TIMEOUT',
      /^SessionStore\.load\(\) of SlowStore timed out after 20ms for session \S+$/,
    ],
    [
      'hangs in listSubkeys',
      { append, load, listSubkeys: hang },
      {},
      'SESSION_STORE_TIMEOUT',
      /^SessionStore\.listSubkeys\(\) timed out after 20ms/,
    ],
    [
      'hangs in load of a subagent',
      {
        append,
        load: (key) => (key.subpath === undefined ? load(key) : hang()),
        listSubkeys: () => Promise.resolve(['subagents/agent-a']),
      },
      {},
      'SESSION_STORE_TIMEOUT',
      /for session \S+ subpath subagents\/agent-a$/,
    ],
    [
      'hangs in listSessions',
      { append, load, listSessions: hang },
      { resume: undefined, continue: true },
      'SESSION_STORE_TIMEOUT',
      /listSessions\(\) timed out after 20ms$/,
    ],
    [
      'fails in load',
      { append, load: fail },
      {},
      'SESSION_STORE_FAILED',
      /^SessionStore\.load\(\) failed for session \S+: boom$/,
    ],
    ['fails in listSubkeys', { append, load, listSubkeys: fail }, {}, 'SESSION_STORE_FAILED', /boom/],
    [
      'throws at once',
      {
        append,
        load: () => {
          throw new Error('boom');
        },
      },
      {},
      'SESSION_STORE_FAILED',
      /boom/,
    ],
  ])('and %s is named, and nothing is left', async (_, store, more, code, message) => {
    const given = {
      store,
      cwd: CWD,
      resume: SESSION,
      loadTimeoutMs: 20,
      env: { CLAUDE_CONFIG_DIR: home },
      ...more,
    };
    const error: unknown = await restoreSession(given).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SessionStoreError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as unknown });
    if (code === 'SESSION_STORE_FAILED') expect((error as Error).cause).toMatchObject({ message: 'boom' });
    else expect(error).toMatchObject({ limitMs: 20 });
  });
});

describe('an abort', () => {
  it('ends the waiting for a store', async () => {
    const controller = new AbortController();
    const store = { append: () => Promise.resolve(), load: () => new Promise<never>(() => {}) };
    const restoring = restoreSession({
      store,
      resume: SESSION,
      cwd: CWD,
      loadTimeoutMs: 20,
      signal: controller.signal,
    });
    controller.abort('enough');
    const error: unknown = await restoring.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ cause: 'enough' });
    // The store's own time must run out before the host is looked at.
    await new Promise((resolve) => setTimeout(resolve, 40));
  });

  it('before the start asks nobody', async () => {
    const store = { append: () => Promise.resolve(), load: () => Promise.reject(new Error('asked')) };
    await expect(
      restoreSession({ store, resume: SESSION, cwd: CWD, signal: AbortSignal.abort() }),
    ).rejects.toBeInstanceOf(AbortError);
  });

  it('that comes too late leaves what was restored', async () => {
    const controller = new AbortController();
    await restore({ store: await createStore(), signal: controller.signal });
    controller.abort();
    expect(existsSync(restored?.configDir ?? '')).toBe(true);
  });
});
