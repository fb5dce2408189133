// What the journal in memory takes for old: by the time of the last change, to the millisecond.
import { expect, it } from 'vitest';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';

it('keeps a conversation until it has been left alone for as long as the policy says', async () => {
  let now = 1000;
  const journal = memoryJournal({ now: () => now });
  await journal.enqueue({ key: 'k', id: 'one', content: 'x', start: { agent: 'support', data: null } });
  const lease = await journal.lease('k', { owner: 'w', ms: 100 });
  if (lease.state !== 'granted') throw new Error(lease.state);
  const { fence, conversation } = lease;
  await journal.next(fence);
  await journal.beginCall(fence, { callKey: 'c', turn: 'one', toolName: 't', input: {} });
  await journal
    .store(fence)
    .append({ projectKey: 'p', sessionId: conversation.sessionId }, [{ type: 'user' }]);
  const outcome = { ok: true, kind: 'success', text: 'y', turnCostUsd: 0 };
  await journal.finish(fence, 'one', { outcome });
  await journal.release(fence);
  await journal.closeConversation('k');
  const policy = { conversationsMs: 500, transcriptsMs: 500, callsMs: 500 };
  const count = async (): Promise<unknown[]> => {
    const { kinds = {} } = (await journal.retain?.(policy)) ?? {};
    return [kinds.conversations?.rows, kinds.transcripts?.rows, kinds.calls?.rows];
  };
  now = 1499;
  expect(await count()).toEqual([0, 0, 0]);
  now = 1500;
  expect(await count()).toEqual([1, 1, 1]);
  await journal.retain?.(policy, { apply: true });
  expect(await journal.conversation('k')).toBeUndefined();
});
