// Where the calls of a session are recorded: in the store, on this machine, or nowhere.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProjectKey } from '../../../src/record/history/folders/project-folders.js';
import { findCallRecords } from '../../../src/record/history/store/find-call-records.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import type { CallClaim, CallFact, CallRecords } from '../../../src/wire/protocol/config/call-records.js';
import type { SessionStore } from '../../../src/wire/protocol/config/session-store.js';

const sessionId = '11111111-1111-4111-8111-111111111111';
const fact: CallFact = { type: 'waiting', callKey: 'c', at: 1 };
let root: string;
let dir: string;
let env: { CLAUDE_CONFIG_DIR: string };
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'find-calls-')));
  dir = join(root, 'work');
  mkdirSync(dir);
  env = { CLAUDE_CONFIG_DIR: join(root, 'config') };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folderOf = (directory: string): string =>
  join(env.CLAUDE_CONFIG_DIR, 'projects', createProjectKey(directory), sessionId);

/** A custom store without call records. */
function createSmallStore(more: Partial<SessionStore> = {}): SessionStore {
  const store = new InMemorySessionStore();
  return { append: (key, entries) => store.append(key, entries), load: (key) => store.load(key), ...more };
}

describe('findCallRecords', () => {
  it('finds them in the session’s folder, and makes nothing before the first fact', async () => {
    const found = await findCallRecords({ sessionId, dir, env });
    expect(found).toMatchObject({ place: 'file', isOnlyHere: false });
    expect(readdirSync(root)).toEqual(['work']);
    await found?.records.add(fact);
    expect(readdirSync(folderOf(dir))).toEqual(['inboard-calls.jsonl']);
    await found?.close();
    const again = await findCallRecords({ sessionId, dir, env });
    expect(await again?.records.load()).toEqual([fact]);
    const claim = (await again?.records.claim({ owner: 'x', ttlMs: 1000 })) as CallClaim;
    expect(await again?.compact?.({ claim, isDelivered: () => true })).toBe(false);
  });

  it('finds them beside the transcript, where that is the one of another worktree', async () => {
    const other = join(root, 'other');
    mkdirSync(join(dir, '.git', 'worktrees', 'other'), { recursive: true });
    mkdirSync(other);
    writeFileSync(join(other, '.git'), `gitdir: ${join(dir, '.git', 'worktrees', 'other')}\n`);
    writeFileSync(join(dir, '.git', 'worktrees', 'other', 'gitdir'), `${join(other, '.git')}\n`);
    writeFileSync(join(dir, '.git', 'worktrees', 'other', 'commondir'), '../..\n');
    mkdirSync(folderOf(other), { recursive: true });
    writeFileSync(`${folderOf(other)}.jsonl`, '{}\n');
    const found = await findCallRecords({ sessionId, dir, env });
    await found?.records.add(fact);
    expect(readdirSync(folderOf(other))).toEqual(['inboard-calls.jsonl']);
    await found?.close();
  });

  it('finds them in the store, under the project’s key', async () => {
    const sessionStore = new InMemorySessionStore();
    const found = await findCallRecords({ sessionId, dir, env, sessionStore });
    expect([found?.place, found?.isOnlyHere, found?.compact]).toEqual(['store', false, undefined]);
    await found?.records.add(fact);
    expect(await sessionStore.calls({ projectKey: createProjectKey(dir), sessionId }).load()).toEqual([fact]);
    const named = await findCallRecords({ sessionId, env, sessionStore, projectKey: 'shop' });
    expect(await named?.records.load()).toEqual([]);
    await found?.close();
    expect(readdirSync(root)).toEqual(['work']);
  });

  it('keeps them on this machine for a store that does not, and says so', async () => {
    const found = await findCallRecords({ sessionId, dir, env, sessionStore: createSmallStore() });
    expect(found).toMatchObject({ place: 'file', isOnlyHere: true });
    await found?.records.add(fact);
    expect(readdirSync(folderOf(dir))).toEqual(['inboard-calls.jsonl']);
    await found?.close();
  });

  it('finds none where nothing is left on disk, or nothing is on this machine', async () => {
    expect(await findCallRecords({ sessionId, dir, env, persistSession: false })).toBeUndefined();
    expect(await findCallRecords({ sessionId, dir, env, hasFiles: false })).toBeUndefined();
    const remote = await findCallRecords({
      sessionId,
      dir,
      env,
      hasFiles: false,
      sessionStore: new InMemorySessionStore(),
    });
    expect(remote?.place).toBe('store');
  });

  it('refuses what can be no session', async () => {
    await expect(findCallRecords({ sessionId: '../../etc', dir, env })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    });
  });

  it.each<[string, (good: CallRecords) => unknown, RegExp]>([
    ['nothing', () => undefined, /no method "add", "load", "claim"/],
    ['half of them', (good) => ({ add: good.add.bind(good) }), /no method "load", "claim"/],
    ['no list', (good) => ({ ...good, load: async () => ({}) }), /load\(\) must give a list/],
    ['no claim', (good) => ({ ...good, claim: async () => null }), /claim\(\) gave has no method "renew"/],
    ['a failure', (good) => ({ ...good, load: () => Promise.reject(new Error('down')) }), /down/],
    ['a hang', (good) => ({ ...good, load: () => new Promise(() => {}) }), /timed out after 20ms/],
    [
      'a claim that hangs',
      (good) => ({
        ...good,
        claim: async () => ({ renew: () => new Promise(() => {}), release: async () => {} }),
      }),
      /timed out after 20ms/,
    ],
  ])('reports a store that gives %s', async (_, give, message) => {
    const good = new InMemorySessionStore().calls({ projectKey: 'p', sessionId });
    const sessionStore = createSmallStore({ calls: () => give(good) as CallRecords });
    const use = async (): Promise<void> => {
      const found = await findCallRecords({ sessionId, dir, env, sessionStore, limitMs: 20 });
      await found?.records.load();
      const claim = (await found?.records.claim({ owner: 'x', ttlMs: 1000 })) as CallClaim;
      await claim.renew();
    };
    const failure = {
      code: expect.stringMatching(/^SESSION_STORE_(?:FAILED|TIMEOUT)$/) as string,
      operation: 'calls',
      sessionId,
      message: expect.stringMatching(message) as string,
    };
    await expect(use()).rejects.toMatchObject(failure);
  });

  it('takes anything but true for a claim that is lost', async () => {
    const good = new InMemorySessionStore().calls({ projectKey: 'p', sessionId });
    const calls = (): CallRecords => ({
      ...good,
      claim: async () => ({ renew: async () => 'yes' as unknown as boolean, release: async () => {} }),
    });
    const found = await findCallRecords({ sessionId, dir, env, sessionStore: createSmallStore({ calls }) });
    const claim = (await found?.records.claim({ owner: 'x', ttlMs: 1000 })) as CallClaim;
    expect(await claim.renew()).toBe(false);
  });
});
