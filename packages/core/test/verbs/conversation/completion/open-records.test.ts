// Where the calls of a session are recorded, and what is said about it.
import { afterEach, describe, expect, it } from 'vitest';
import { createIsolatedEnvironment, type IsolatedEnvironment } from '@inboard/inboard/testing.js';
import { InMemorySessionStore, type SessionStore } from '@inboard/inboard/index.js';
import { WarningReporter } from '../../../../src/options/check/warning-reporter.js';
import type { Options } from '../../../../src/options/options.js';
import { waitUntil } from '../../../../../../test/support/wait-until.js';
import { openRecords } from '../../../../src/verbs/conversation/completion/open-records.js';

let home: IsolatedEnvironment | undefined;
afterEach(async () => await home?.remove());

async function openWith(sessionStore: SessionStore): Promise<unknown[]> {
  home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
  const codes: unknown[] = [];
  const { cwd, env } = home;
  const options: Options = { sessionStore, cwd, env, onWarning: ({ code }) => void codes.push(code) };
  const opened = await openRecords({
    sessionId: '6b0a3a44-6c5b-4a7e-9d53-3f1f2f5d0c11',
    options,
    warnings: new WarningReporter(options),
    identify: () => ({ callKey: 'call_1', attempt: 1 }),
  });
  await opened?.close();
  return codes;
}

describe('the records of a session with a store', () => {
  it('stay on this machine where the store has no place for them, which is said', async () => {
    const store: SessionStore = { append: async () => {}, load: async () => null };
    expect(await openWith(store)).toEqual(['CALL_RECORDS_ONLY_HERE']);
  });

  it('are kept by a store that can, without a word', async () => {
    expect(await openWith(new InMemorySessionStore())).toEqual([]);
  });
});

describe('the records of a session on this machine', () => {
  it('are made shorter when they are long and another turn begins', async () => {
    home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
    const { cwd, env } = home;
    const options: Options = { cwd, env };
    const open = async () =>
      await openRecords({
        sessionId: '6b0a3a44-6c5b-4a7e-9d53-3f1f2f5d0c11',
        options,
        warnings: new WarningReporter(options),
        identify: () => ({ callKey: 'call_1', attempt: 1 }),
      });
    const before = await open();
    const call = { toolName: 'mcp__shop__pay', input: {}, attempt: 1, owner: 'me', at: 1 };
    const text = 'x'.repeat(200_000);
    await before?.records.add({ type: 'covers', message: 'm1', at: 1 });
    for (let number = 0; number < 45; number += 1) {
      const callKey = `call_${number}`;
      await before?.records.add({ type: 'begun', ...call, callKey });
      await before?.records.add({
        type: 'ended',
        callKey,
        result: { content: [{ type: 'text', text }] },
        at: 2,
      });
    }
    await before?.records.add({ type: 'covers', message: 'm2', at: 3 });
    await before?.close();
    const after = await open();
    await after?.recorder?.cover('m3', undefined);
    await waitUntil(async () => ((await after?.records.load()) ?? []).length < 10);
    // Whether "m2" is still there depends on which was first, the next turn or the look.
    const facts = (await after?.records.load()) ?? [];
    expect(facts.filter(({ type }) => type !== 'covers')).toEqual([]);
    expect(facts.at(-1)).toMatchObject({ message: 'm3' });
    await after?.close();
  });
});
