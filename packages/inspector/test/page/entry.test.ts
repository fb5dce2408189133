// How a page gets in: by the key of its link, by what it kept, and where the browser keeps nothing.
import { expect, it } from 'vitest';
import { readKey, SECRET_HEADER, withoutKey } from '../../src/model/entry.js';
import { createEntry, type Ask, type EntryParts } from '../../src/page/source/entry.js';
import { Served } from '../support/served.js';

interface Visit {
  ask: Ask;
  kept: Map<string, string>;
  /** Every request that was sent: its path, its secret, and how it was answered. */
  sent: { path: string; secret: string; status: number }[];
  hasKey: () => boolean;
}

/** A page of a server, with a storage that other visits may share. */
function visit(
  served: Served,
  {
    key,
    kept = new Map(),
    ...parts
  }: Partial<Omit<EntryParts, 'kept'>> & { kept?: Map<string, string> } = {},
): Visit {
  let hasKey = key !== undefined;
  const sent: Visit['sent'] = [];
  const ask = createEntry({
    key,
    forgetKey: () => (hasKey = false),
    kept: () => ({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
    }),
    fetch: async (path, options = {}) => {
      const headers: Record<string, string> = {
        origin: served.origin,
        ...(options.headers as Record<string, string>),
      };
      const response = await fetch(`${served.origin}/${path}`, { ...options, headers });
      sent.push({ path, secret: headers[SECRET_HEADER] ?? '', status: response.status });
      return response;
    },
    ...parts,
  });
  return { ask, kept, sent, hasKey: () => hasKey };
}

const keyOf = (served: Served): string => new URL(served.server.createLink()).hash.slice('#key='.length);

async function withServer(use: (served: Served) => Promise<void>): Promise<void> {
  const served = await Served.start();
  try {
    await use(served);
  } finally {
    await served.close();
  }
}

it('exchanges the key once, takes it out of the address, and keeps the secret for other tabs', () =>
  withServer(async (served) => {
    const page = visit(served, { key: keyOf(served) });
    const answers = await Promise.all([page.ask('api/state'), page.ask('api/events?session=s')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(page.sent.map(({ path }) => path)).toEqual(['api/enter', 'api/state', 'api/events?session=s']);
    expect(page.hasKey()).toBe(false);
    const [secret] = page.kept.values();
    expect(page.sent.slice(1).map((each) => each.secret)).toEqual([secret, secret]);
    const tab = visit(served, { kept: page.kept });
    expect((await tab.ask('api/state')).status).toBe(200);
    expect(tab.sent).toHaveLength(1);
  }));

it('is refused with a key that was used, unless it was let in before', () =>
  withServer(async (served) => {
    const key = keyOf(served);
    const first = visit(served, { key });
    await first.ask('api/state');
    const stranger = visit(served, { key });
    expect((await stranger.ask('api/state')).status).toBe(401);
    expect(stranger.hasKey()).toBe(false);
    expect([...stranger.kept]).toEqual([]);
    expect((await visit(served, { key, kept: first.kept }).ask('api/state')).status).toBe(200);
  }));

it('gets in by a new link although it kept a secret that no server knows any more', () =>
  withServer(async (served) => {
    const kept = new Map([['inboard-inspector-secret', 'of yesterday']]);
    expect((await visit(served, { kept }).ask('api/state')).status).toBe(401);
    expect((await visit(served, { kept, key: keyOf(served) }).ask('api/state')).status).toBe(200);
    expect((await visit(served, { kept }).ask('api/state')).status).toBe(200);
  }));

it('tries the key again where the server did not answer', () =>
  withServer(async (served) => {
    const isAway = { value: true };
    const real = visit(served).ask;
    const page = visit(served, {
      key: keyOf(served),
      fetch: async (path, options) => {
        if (isAway.value) throw new TypeError('Failed to fetch');
        return await real(path, options);
      },
    });
    await expect(page.ask('api/state')).rejects.toThrow('Failed to fetch');
    expect(page.hasKey()).toBe(true);
    isAway.value = false;
    expect((await page.ask('api/state')).status).not.toBe(500);
    expect(page.hasKey()).toBe(false);
  }));

it('works until it is closed where the browser keeps nothing', () =>
  withServer(async (served) => {
    const forbid = (): never => {
      throw new Error('SecurityError');
    };
    const page = createEntry({
      key: keyOf(served),
      forgetKey: () => {},
      kept: forbid,
      fetch: (path, options = {}) =>
        fetch(`${served.origin}/${path}`, {
          ...options,
          headers: { origin: served.origin, ...(options.headers as Record<string, string>) },
        }),
    });
    expect((await page('api/state')).status).toBe(200);
  }));

it.each([
  ['#key=a-B_9', 'a-B_9', '#'],
  ['#key=k&view=wire&session=s', 'k', '#view=wire&session=s'],
  ['#view=wire&key=k', 'k', '#view=wire'],
  ['#view=wire&session=a%26key%3D1', undefined, '#view=wire&session=a%26key%3D1'],
  ['#monkey=k', undefined, '#monkey=k'],
  ['', undefined, '#'],
])('tells the key of %j from the place beside it', (hash, key, rest) => {
  expect(readKey(hash)).toBe(key);
  expect(withoutKey(hash)).toBe(rest);
});
