// Laying a stored session out for the CLI: what is written, for whose eyes, and that nothing of it stays.
import fs, {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { getEventListeners } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AbortError, InvalidOptionsError, LaunchError, SessionStoreError } from '../../../src/errors.js';
import type { SessionStore } from '../../../src/wire/protocol/config/session-store.js';
import { claimSession } from '../../../src/record/history/running/session-claims.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import {
  restoreSession,
  startBesideLeftover,
  type RestoredSession,
} from '../../../src/record/history/store/restore-session.js';
import { createDeferred } from '../../../src/util/deferred.js';
import { query, type Query } from '../../../src/verbs/query/query.js';
import { createOwnedFolder, describeSelf, readProcessStart } from '../../../src/wire/process/owned-folder.js';
import { createMemoryTransport } from '../../../src/wire/transport/memory-transport.js';
import { breakDisk } from '../../../../../test/support/full-disk.js';
import { runToEnd } from '../../../../../test/support/scene.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { watchHost, type HostWatch } from '../../../../../test/support/watch-host.js';
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
      'line\nbreak',
      'subagents/agent-\u2028x',
      'subagents/..',
      'x'.repeat(250),
      'é'.repeat(130),
      'a/'.repeat(600) + 'a',
      '\u001b[2J',
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

  it('is never one whose id is none, and such an id is not loaded', async () => {
    const asked: string[] = [];
    const ids = [
      '../../x',
      '',
      'a\nb',
      `${SESSION}/../x`,
      `${SESSION}\n`,
      'x'.repeat(100_000),
      '\0',
      SESSION,
    ];
    const store: SessionStore = {
      append: () => Promise.resolve(),
      load: ({ sessionId }) => {
        asked.push(sessionId);
        return Promise.resolve(ENTRIES);
      },
      listSessions: () => Promise.resolve(ids.map((sessionId, index) => ({ sessionId, mtime: 100 - index }))),
    };
    await restore({ store, resume: undefined, continue: true });
    expect(asked).toEqual([SESSION]);
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
    const credentials = {
      claudeAiOauth: { accessToken: 'a', refreshToken: 'r', scopes: ['user:inference'], device: 'd' },
      other: 1,
    };
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
      claudeAiOauth: { accessToken: 'a', scopes: ['user:inference'] },
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
    const token = { accessToken: 'a', scopes: ['user:inference'] };
    writeFileSync(join(home, '.credentials.json'), JSON.stringify({ claudeAiOauth: token }));
    const again = await restore({ store: await createStore(), env: { ...env, ANTHROPIC_API_KEY: '' } });
    expect(existsSync(join(again, '.credentials.json')), 'an empty variable is no login').toBe(true);
    await restored?.remove();
    const without = await restore({ store: await createStore(), env });
    expect(existsSync(join(without, '.credentials.json')), 'nothing was left to copy').toBe(false);
  });

  it.each([
    ['the token where it may ask the model', ['user:profile', 'user:inference'], 'token'],
    ['the key where it may not', ['org:create_api_key', 'user:profile'], 'key'],
    ['the key where the token says nothing', undefined, 'key'],
    ['the key where the scopes are no list', 'user:inference', 'key'],
  ])('brings one login, the one the CLI uses: %s', async (_, scopes, expected) => {
    const plan = { expiresAt: 5, subscriptionType: 'max', rateLimitTier: 't' };
    const server = { serverName: 'shop', serverUrl: 'u', accessToken: 'm', expiresAt: 6, scope: 's' };
    const credentials = {
      claudeAiOauth: { accessToken: 'a', refreshToken: 'secret', scopes, ...plan, more: 'secret' },
      mcpOAuth: {
        'shop|1': { ...server, refreshToken: 'secret', clientId: 'secret', clientSecret: 'secret' },
        'odd|2': 'secret',
      },
      mcpOAuthClientConfig: { 'shop|1': { clientSecret: 'secret' } },
      trustedDeviceToken: 'secret',
      pluginSecrets: { 'p@m': { token: 'needed' } },
    };
    writeFileSync(join(home, '.credentials.json'), JSON.stringify(credentials));
    writeFileSync(join(home, '.claude.json'), '{"primaryApiKey":"k","userID":"u"}');
    const configDir = await restore({ store: await createStore() });
    const read = (path: string): unknown => JSON.parse(readFileSync(join(configDir, path), 'utf8'));
    const isToken = expected === 'token';
    expect(read('.credentials.json')).toEqual({
      ...(isToken ? { claudeAiOauth: { accessToken: 'a', scopes, ...plan } } : {}),
      mcpOAuth: { 'shop|1': server },
      pluginSecrets: { 'p@m': { token: 'needed' } },
    });
    expect(read('.claude.json')).toEqual({ userID: 'u', ...(isToken ? {} : { primaryApiKey: 'k' }) });
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
    ...(
      [
        ['an object', {}, /it is an object\. It must be an array of transcript entries/],
        ['a text', '[]', /it is the string "\[\]"/],
        ['a number', 7, /it is the number 7/],
        ['true', true, /it is the boolean true/],
        ['entries that are null', [...ENTRIES, null], /entry 2 is null, not an object/],
        [
          'entries that are texts',
          ['{"type":"user"}'],
          /entry 0 is the string .* Return the entries as append/,
        ],
        ['entries that are lists', [[]], /entry 0 is an array/],
        ['a list with holes', Array.from({ length: 3 }).fill(undefined), /entry 0 is undefined/],
        [
          'a list of four thousand million holes',
          Object.assign([], { length: 4_000_000_000 }),
          /entry 0 is undefined/,
        ],
        ['what JSON cannot hold', [{ type: 'user', n: 1n }], /an entry cannot be written as JSON \(.*BigInt/],
      ] as const
    ).map(([what, loaded, message]): [string, SessionStore, object, string, RegExp] => [
      `loads ${what}`,
      { append, load: () => Promise.resolve(loaded as never) },
      {},
      'SESSION_STORE_FAILED',
      message,
    ]),
    ...(
      [
        ['an object', {}, /listSubkeys\(\) returned .* it is an object/],
        ['numbers', [5], /element 0 is the number 5, not a string/],
        ['objects', [{ subpath: 'x' }], /element 0 is an object/],
      ] as const
    ).map(([what, listed, message]): [string, SessionStore, object, string, RegExp] => [
      `lists ${what} as subkeys`,
      { append, load, listSubkeys: () => Promise.resolve(listed as never) },
      {},
      'SESSION_STORE_FAILED',
      message,
    ]),
    ...(
      [
        ['a text', 'x', /listSessions\(\) returned .* it is the string "x"/],
        ['null', [null], /element 0 is null, not an object with a "sessionId"/],
        ['numbers as ids', [{ sessionId: 5, mtime: 1 }], /element 0 is an object/],
        ['no times', [{ sessionId: SESSION }], /the "mtime" of element 0 is undefined/],
        ['times that are none', [{ sessionId: SESSION, mtime: Number.NaN }], /the number NaN/],
      ] as const
    ).map(([what, listed, message]): [string, SessionStore, object, string, RegExp] => [
      `lists ${what}`,
      { append, load, listSessions: () => Promise.resolve(listed as never) },
      { resume: undefined, continue: true },
      'SESSION_STORE_FAILED',
      message,
    ]),
    [
      'rejects with null',
      { append, load: () => Promise.reject(null) },
      {},
      'SESSION_STORE_FAILED',
      /: null$/,
    ],
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
    if (/boom/.test(message.source)) expect((error as Error).cause).toMatchObject({ message: 'boom' });
    if (code === 'SESSION_STORE_TIMEOUT') expect(error).toMatchObject({ limitMs: 20 });
  });
});

describe('a full disk', () => {
  it.each([
    ['for the folder', { sync: ['writeFileSync'] }, 0],
    ['for the folders in it', { promises: ['mkdir'] }, 0],
    ['for the transcript', { promises: ['open'] }, 0],
    ['for the login', { promises: ['writeFile'] }, 0],
    ['for the settings', { promises: ['writeFile'] }, 1],
    ['for a link', { promises: ['symlink'] }, 0],
  ])('%s is named, and nothing is left', async (_, calls, allowed) => {
    const login = { claudeAiOauth: { accessToken: 'a', scopes: ['user:inference'] } };
    writeFileSync(join(home, '.credentials.json'), JSON.stringify(login));
    writeFileSync(join(home, 'settings.json'), '{"model":"m"}');
    mkdirSync(join(home, 'agents'));
    const store = await createStore();
    const mend = breakDisk('ENOSPC', calls, allowed);
    const failed: unknown = await restore({ store }).catch((error: unknown) => error);
    mend();
    expect(failed).toBeInstanceOf(LaunchError);
    expect(failed).toMatchObject({ code: 'TEMPORARY_FOLDER_UNUSABLE', retryable: true });
    expect((failed as Error).message).toMatch(/the session to resume .*no space is left/);
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

  /** A store that waits for ever with one of its answers, and tells when it was asked for it. */
  async function hangAt(where: string): Promise<{ store: SessionStore; asked: Promise<void> }> {
    const store = await createStore();
    await store.append({ ...KEY, subpath: 'subagents/agent-a' }, ENTRIES);
    const asked = createDeferred<void>();
    const hang = <T>(name: string, answer: () => Promise<T>): Promise<T> => {
      if (name !== where) return answer();
      asked.resolve();
      return new Promise<never>(() => {});
    };
    return {
      asked: asked.promise,
      store: {
        append: (key, entries) => store.append(key, entries),
        load: (key) => hang(key.subpath === undefined ? 'load' : 'a subagent', () => store.load(key)),
        listSubkeys: (key) => hang('listSubkeys', () => store.listSubkeys(key)),
        listSessions: (key) => hang('listSessions', () => store.listSessions(key)),
      },
    };
  }

  it.each([
    ['load', {}],
    ['a subagent', {}],
    ['listSubkeys', {}],
    ['listSessions', { resume: undefined, continue: true }],
    ['a subagent', { resume: undefined, continue: true }],
  ])('while the store is asked for %s leaves no file, timer or listener', async (where, more) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void [timers, cleared].map((spy) => spy.mockRestore()));
    const { store, asked } = await hangAt(where);
    const controller = new AbortController();
    const { signal } = controller;
    // Of a minute, the time a store has by default.
    const restoring = restoreSession({ store, cwd: CWD, resume: SESSION, env: {}, signal, ...more });
    await asked;
    controller.abort('enough');
    await expect(restoring).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
    await waitUntil(() => readdirSync(tmpdir()).length === 0);
    const set = timers.mock.results.filter((_, index) => timers.mock.calls[index]?.[1] === 60_000);
    expect(set.length).toBeGreaterThan(0);
    const gone = cleared.mock.calls.map(([timer]) => timer);
    expect(set.filter(({ value }) => !gone.includes(value as never))).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that comes after a whole restore finds no listener', async () => {
    const { signal } = new AbortController();
    const store = await createStore();
    await store.append({ ...KEY, subpath: 'subagents/agent-a' }, ENTRIES);
    await restore({ store, signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each<[string, (q: Query, controller: AbortController) => unknown]>([
    ['close()', (q) => q.close()],
    ['abort()', (_, controller) => controller.abort()],
  ])('or %s of a query whose session is being restored leaves no file', async (_, end) => {
    const { store, asked } = await hangAt('a subagent');
    const abortController = new AbortController();
    const { transport } = createMemoryTransport();
    const options = { sessionStore: store, resume: SESSION, cwd: CWD, transport, abortController };
    const q = query({ prompt: 'hi', options: { ...options, projectKey: KEY.projectKey } });
    await asked;
    expect(readdirSync(tmpdir())).toHaveLength(1);
    void end(q, abortController);
    await runToEnd(q);
    await waitUntil(() => readdirSync(tmpdir()).length === 0);
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
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

describe('a new session', () => {
  const leave = (content = 'left', ageS = 3600): string => {
    const folder = join(home, 'projects', '-x-y');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${SESSION}.jsonl`);
    writeFileSync(path, content);
    const changedAt = Date.now() / 1000 - ageS;
    utimesSync(path, changedAt, changedAt);
    return path;
  };
  const start = (store: SessionStore, more: object = {}) =>
    startBesideLeftover({ store, sessionId: SESSION, cwd: CWD, env: { CLAUDE_CONFIG_DIR: home }, ...more });

  it('whose id is free on the disk needs no folder, and the store is not asked', async () => {
    const load = vi.fn();
    expect(await start({ load, append: load })).toBeUndefined();
    expect(await start({ load, append: load }, { sessionId: '../../x' })).toBeUndefined();
    expect(load).not.toHaveBeenCalled();
  });

  it('whose id is taken on the disk and not in the store gets a folder with the settings, and leaves the file', async () => {
    const leftover = leave();
    writeFileSync(join(home, 'settings.json'), '{"model":"m"}');
    const fresh = await start(new InMemorySessionStore());
    if (fresh === undefined) throw new Error('There is no folder');
    expect(fresh.leftover).toBe(leftover);
    expect(readFileSync(join(fresh.configDir, 'settings.json'), 'utf8')).toBe('{"model":"m"}');
    expect(existsSync(join(fresh.configDir, 'projects'))).toBe(false);
    expect(readFileSync(leftover, 'utf8')).toBe('left');
    await fresh.remove();
    expect(existsSync(fresh.configDir)).toBe(false);
  });

  it('whose id is taken in the store too is left to the CLI, which refuses it', async () => {
    leave();
    expect(await start(await createStore())).toBeUndefined();
    const elsewhere = await start(await createStore(), { projectKey: 'other' });
    expect(elsewhere).toBeDefined();
    await elsewhere?.remove();
  });

  it('is not started where the store fails or the query is aborted, and nothing is left', async () => {
    leave();
    const failing = { load: () => Promise.reject(new Error('down')), append: () => Promise.resolve() };
    await expect(start(failing)).rejects.toBeInstanceOf(SessionStoreError);
    await expect(start(new InMemorySessionStore(), { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
      AbortError,
    );
  });

  it('may leave its transcript, without login and settings, where the store did not take it', async () => {
    leave();
    writeFileSync(join(home, '.credentials.json'), '{"claudeAiOauth":{"accessToken":"secret"}}');
    const fresh = await start(new InMemorySessionStore());
    if (fresh === undefined) throw new Error('There is no folder');
    mkdirSync(join(fresh.configDir, 'projects', '-x-y'), { recursive: true });
    writeFileSync(join(fresh.configDir, 'projects', '-x-y', `${SESSION}.jsonl`), 'said');
    const kept = (await fresh.keep()) ?? '';
    expect(existsSync(fresh.configDir)).toBe(false);
    expect(listModes(kept)).toMatchObject({ projects: expect.anything() as string });
    expect(readdirSync(kept)).toEqual(['projects']);
    expect(statSync(kept).mode & 0o077).toBe(0);
    expect(readFileSync(join(kept, 'projects', '-x-y', `${SESSION}.jsonl`), 'utf8')).toBe('said');
    rmSync(kept, { recursive: true });
  });

  it('leaves no empty folder and no login where its transcript cannot be moved', async () => {
    leave();
    writeFileSync(join(home, '.credentials.json'), '{"claudeAiOauth":{"accessToken":"secret"}}');
    const fresh = await start(new InMemorySessionStore());
    if (fresh === undefined) throw new Error('There is no folder');
    const transcript = join(fresh.configDir, 'projects', '-x-y', `${SESSION}.jsonl`);
    mkdirSync(dirname(transcript), { recursive: true });
    writeFileSync(transcript, 'said');
    const rename = vi.spyOn(fs.promises, 'rename').mockRejectedValue(new Error('another device'));
    syncBuiltinESMExports();
    try {
      await expect(fresh.keep()).rejects.toThrow('another device');
    } finally {
      rename.mockRestore();
      syncBuiltinESMExports();
    }
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('inboard-kept-'))).toEqual([]);
    expect(readdirSync(fresh.configDir)).toEqual(['projects']);
    expect(readFileSync(transcript, 'utf8')).toBe('said');
    // And it does not count as running from now on.
    const next = await start(new InMemorySessionStore());
    expect(next).toBeDefined();
    await next?.remove();
    await fresh.remove();
  });

  it('or one that was resumed keeps nothing where its CLI wrote elsewhere: what is here is only what the store has', async () => {
    await restore({ store: await createStore() });
    expect(await restored?.keep()).toBeUndefined();
    expect(existsSync(restored?.configDir ?? '')).toBe(false);
    leave();
    const fresh = await start(new InMemorySessionStore());
    expect(await fresh?.keep()).toBeUndefined();
    expect(readdirSync(tmpdir()).filter((name) => /^inboard-(?:kept|resume)-/.test(name))).toEqual([]);
  });

  describe('that runs', () => {
    /** What a CLI notes; by default of this process, which surely runs. */
    const note = (config: string, more: object = {}): void => {
      mkdirSync(join(config, 'sessions'), { recursive: true });
      const procStart = readProcessStart(process.pid);
      const facts = { pid: process.pid, sessionId: SESSION, procStart, updatedAt: Date.now(), ...more };
      writeFileSync(join(config, 'sessions', `${process.pid}.json`), JSON.stringify(facts));
    };
    /** The config folder of another session of this package, somewhere on this machine. */
    const others: string[] = [];
    afterEach(() => {
      for (const folder of others.splice(0)) rmSync(folder, { recursive: true, force: true });
    });
    const openOther = (): { folder: string; config: string } => {
      const folder = createOwnedFolder('resume');
      others.push(folder);
      mkdirSync(join(folder, 'config'));
      return { folder, config: join(folder, 'config') };
    };
    /** A process begins the session in such a folder; perhaps it is gone. */
    const begin = (folder: string, isGone = false, configFolder = home): void => {
      writeFileSync(join(folder, 'begins.json'), JSON.stringify({ sessionId: SESSION, configFolder }));
      if (isGone)
        writeFileSync(join(folder, 'owner.json'), JSON.stringify({ ...describeSelf(), start: '1' }));
    };
    const here = (): { configFolder: string } => ({ configFolder: home });
    const RECENT = 10;
    const withNotes = '{"type":"user","version":"2.1.325"}\n{"type":"last-prompt"}\n';
    const withoutNotes = '{"type":"user","version":"2.1.33"}\n';

    it.each<[string, string, () => void]>([
      ['has a note in the config folder', 'it runs in process', () => (leave(), note(home))],
      [
        'has a note in the temporary config folder of a process that is gone',
        'it runs in process',
        () => {
          leave();
          const { folder, config } = openOther();
          begin(folder, true);
          note(config);
        },
      ],
      [
        'has a note of another container',
        'it runs in process',
        () => (leave(), note(home, { pid: 2 ** 30, pidDomain: 'linux:elsewhere:pid:[1]' })),
      ],
      ['has just begun in another process', 'has begun it', () => (leave(), begin(openOther().folder))],
      [
        'has a CLI of this process',
        'it has a CLI in this process',
        () => {
          leave();
          const claim = claimSession({ resume: SESSION.toUpperCase() }, here());
          onTestFinished(() => claim?.release());
        },
      ],
      [
        'was written to lately, by a CLI without notes',
        'in the last 5 minutes',
        () => leave(withoutNotes, RECENT),
      ],
      ['was written to lately, by nobody knows what', 'in the last 5 minutes', () => leave('?', RECENT)],
    ])('and %s is refused, and nothing is left of the attempt', async (_, words, prepare) => {
      prepare();
      const before = readdirSync(tmpdir());
      await expect(start(new InMemorySessionStore())).rejects.toMatchObject({
        name: 'LaunchError',
        code: 'SESSION_RUNNING',
        retryable: true,
        message: expect.stringContaining(words) as string,
      });
      expect(readdirSync(tmpdir())).toEqual(before);
    });

    it.each<[string, () => void]>([
      ['its note is of a process that is gone', () => (leave('?', RECENT), note(home, { procStart: '1' }))],
      ['its CLI would have left a note', () => leave(withNotes, RECENT)],
      ['its CLI leaves none, but has been silent', () => leave(withoutNotes)],
      ['the note is of another session', () => (leave(), note(home, { sessionId: idOf(9) }))],
      [
        'whoever began it elsewhere is gone',
        () => {
          leave();
          begin(openOther().folder, true);
        },
      ],
      [
        'it is another session, in another config folder',
        () => {
          leave();
          begin(openOther().folder, false, '/another');
          const claim = claimSession({ sessionId: SESSION }, { configFolder: '/another' });
          onTestFinished(() => claim?.release());
        },
      ],
      [
        'the CLI of this process is over',
        () => (leave(), claimSession({ sessionId: SESSION }, here())?.release()),
      ],
    ])('no longer, because %s, is begun', async (_, prepare) => {
      prepare();
      const fresh = await start(new InMemorySessionStore());
      expect(fresh).toBeDefined();
      await fresh?.remove();
    });

    it('begins once where it is begun twice at a time', async () => {
      leave();
      const claims = [1, 2].map(() => claimSession({ sessionId: SESSION }, here()));
      onTestFinished(() => claims.forEach((claim) => claim?.release()));
      const store = new InMemorySessionStore();
      const one = await start(store, { claim: claims[0] });
      await expect(start(store, { claim: claims[1] })).rejects.toMatchObject({ code: 'SESSION_RUNNING' });
      expect(one).toBeDefined();
      await one?.remove();
    });
  });
});
