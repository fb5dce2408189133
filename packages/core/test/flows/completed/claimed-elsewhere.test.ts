// What happens to a conversation while it waits for the claim: another host may finish its turn, and its own host may give it up.
import { expect, it } from 'vitest';
import { createSdkMcpServer, openSession, tool } from '@inboard/inboard/index.js';
import { createFakeCli, text } from '@inboard/inboard/testing.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { findProjectKey } from '../../../src/record/history/store/stored-entries.js';
import type { CallFact, CallRecords } from '../../../src/wire/protocol/config/call-records.js';
import type { SessionKey, SessionStoreEntry } from '../../../src/wire/protocol/config/session-store.js';

const SESSION = '00000000-0000-4000-8000-0000000000d1';
const CALL = { callKey: 'key', toolUseId: 'toolu_1', toolName: 'mcp__shop__pay', input: { order: 7 } };
const ASKED: CallFact = { type: 'asked', ...CALL, question: {}, at: 1 };

const entry = (
  type: string,
  uuid: string,
  parentUuid: string | null,
  message: object,
): SessionStoreEntry => ({
  type,
  uuid,
  parentUuid,
  sessionId: SESSION,
  isSidechain: false,
  timestamp: '2026-01-01T00:00:00.000Z',
  message,
});
const assistant = (uuid: string, parent: string, block: object): SessionStoreEntry =>
  entry('assistant', uuid, parent, { id: `msg_${uuid}`, role: 'assistant', content: [block] });
const CUT_OFF = [
  entry('user', 'u1', null, { role: 'user', content: 'Pay order 7.' }),
  assistant('a1', 'u1', { type: 'tool_use', id: CALL.toolUseId, name: CALL.toolName, input: CALL.input }),
];
const FINISHED = [
  entry('user', 'r1', 'a1', {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: CALL.toolUseId, content: 'paid' }],
  }),
  assistant('a2', 'r1', { type: 'text', text: 'Paid.' }),
];

/** A session that was cut off with an open question; `onClaim` is called before its claim is given. */
async function cutOff(facts: CallFact[], onClaim: (store: InMemorySessionStore, key: SessionKey) => unknown) {
  const store = new InMemorySessionStore();
  const key = { projectKey: await findProjectKey(process.cwd()), sessionId: SESSION };
  await store.append(key, CUT_OFF);
  const records = store.calls(key);
  for (const fact of [{ type: 'covers' as const, message: 'u1', at: 0 }, ...facts]) await records.add(fact);
  const claiming: CallRecords = {
    ...records,
    claim: async (options) => {
      await onClaim(store, key);
      return await records.claim(options);
    },
  };
  store.calls = () => claiming;
  return store;
}

function createShop(ran: unknown[]) {
  const pay = tool('pay', 'Pays', { order: 'number' }, ({ order }) => {
    ran.push(order);
    return 'paid';
  });
  return { mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) } };
}

it('does not go on with a turn that another host has finished meanwhile', async () => {
  const sessionStore = await cutOff([ASKED], (store, key) => store.append(key, FINISHED));
  await using fake = createFakeCli([text('Bye.')]);
  const ran: unknown[] = [];
  await using session = openSession({
    options: { transport: fake.transport, resume: SESSION, sessionStore, ...createShop(ran) },
    interrupted: 'continue',
  });
  expect(await session.continued).toBeUndefined();
  expect(await session.send('Thanks.').text()).toBe('Bye.');
  expect(fake.sessions[0]?.prompts).toEqual(['Thanks.']);
  expect(ran).toEqual([]);
});

const ALLOWED: CallFact = { type: 'answered', callKey: 'key', answer: { behavior: 'allow' }, at: 2 };

it.each([
  ['asks nobody', [ASKED]],
  ['runs no handler', [ASKED, ALLOWED]],
])('%s once its host has given it up', async (_what, facts) => {
  const asked: unknown[] = [];
  const ran: unknown[] = [];
  let abandon = (): unknown => undefined;
  const sessionStore = await cutOff(facts, () => void abandon());
  await using fake = createFakeCli([], { allowEarlyEnd: true });
  const session = openSession({
    options: {
      transport: fake.transport,
      resume: SESSION,
      sessionStore,
      canUseTool: async (_name, input) => {
        asked.push(input);
        return { behavior: 'allow', updatedInput: input };
      },
      ...createShop(ran),
    },
    interrupted: 'continue',
  });
  abandon = () => session.abandon();
  await expect(session.continued).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  // Whatever was under way has come to its end.
  for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  expect([asked, ran]).toEqual([[], []]);
});
