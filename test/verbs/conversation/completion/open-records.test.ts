// Where the calls of a session are recorded, and what is said about it.
import { afterEach, describe, expect, it } from 'vitest';
import { createIsolatedEnvironment, type IsolatedEnvironment } from '../../../../src/doors/testing.js';
import { InMemorySessionStore, type SessionStore } from '../../../../src/doors/index.js';
import { WarningReporter } from '../../../../src/options/check/warning-reporter.js';
import type { Options } from '../../../../src/options/options.js';
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
