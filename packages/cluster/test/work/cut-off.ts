// A turn as a worker left it that is gone: the model's calls are in the transcript, and what became of them is in the journal.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { FIRST_MESSAGE } from '@inboard/core/live/tooling/call-key.js';
import { CallLedger } from '@inboard/core/live/tooling/call-ledger.js';
import { pendingIdOf } from '../../src/journal/journal-question.js';
import type { Fence } from '../../src/journal/records.js';
import { CLUSTER_PROJECT_KEY } from '../../src/work/session/lease-store.js';
import type { WorkerScene } from './worker-scene.js';

/** A call as the model made it. */
export interface MadeCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** What a worker that is gone could still do. */
export interface Gone {
  fence: Fence;
  /** Of the turn. */
  id: string;
  /** By the ids of the calls. */
  keyOf: (call: MadeCall) => string;
  ask: (call: MadeCall) => Promise<void>;
  park: (...calls: MadeCall[]) => Promise<void>;
  begin: (call: MadeCall, input?: Record<string, unknown>) => Promise<void>;
  /** The handler has returned `pending()`. */
  pend: (call: MadeCall) => Promise<void>;
}

/** A turn as a worker left it that was killed after the model had made these calls; unless it was parked, its lease runs out. */
export async function cutOff(
  scene: WorkerScene,
  calls: readonly MadeCall[],
  leave: (gone: Gone) => Promise<void>,
): Promise<Gone> {
  const id = await scene.send('Pay', 'turn-1');
  const granted = await scene.journal.lease('chat', { owner: 'gone', ms: 60_000 });
  if (granted.state !== 'granted') throw new Error(`The lease is ${granted.state}`);
  const { fence, conversation } = granted;
  const { sessionId } = conversation;
  const turn = await scene.journal.next(fence);
  const content = calls.map((call) => ({ type: 'tool_use', ...call }));
  const common = {
    sessionId,
    isSidechain: false,
    timestamp: '2026-01-01T00:00:00.000Z',
    cwd: '/',
    version: '2.1.325',
  };
  const entries = [
    {
      ...common,
      type: 'user',
      uuid: turn?.uuid,
      parentUuid: null,
      message: { role: 'user', content: 'Pay' },
    },
    {
      ...common,
      type: 'assistant',
      uuid: '00000000-0000-4000-8000-000000000001',
      parentUuid: turn?.uuid,
      message: { id: 'msg_1', role: 'assistant', content },
    },
  ];
  await scene.journal.store(fence).append({ projectKey: CLUSTER_PROJECT_KEY, sessionId }, entries);
  const made = calls.map(({ id: toolUseId, name, input }) => ({
    toolUseId,
    toolName: name,
    input,
    hasEnded: false,
  }));
  const identities = CallLedger.identifyAll(sessionId, FIRST_MESSAGE, made);
  const keyOf = (call: MadeCall): string => identities.get(call.id)?.callKey ?? '';
  let isParked = false;
  const pended = new Set<MadeCall>();
  const questionOf = (call: MadeCall): string => (pended.has(call) ? pendingIdOf(keyOf(call)) : keyOf(call));
  const gone: Gone = {
    fence,
    id,
    keyOf,
    ask: async (call) => {
      const { name: toolName, input } = call;
      const question: ApprovalQuestion = {
        id: keyOf(call),
        kind: 'permission',
        attempt: 1,
        askedAt: 0,
        toolName,
        input,
      };
      await scene.journal.ask(fence, id, question);
    },
    park: async (...parked) => {
      isParked = await scene.journal.park(fence, id, {
        questions: parked.map(questionOf),
        turnCostUsd: 0.25,
      });
      await scene.journal.release(fence);
    },
    begin: async (call, input = call.input) => {
      await scene.journal.beginCall(fence, {
        callKey: keyOf(call),
        turn: id,
        toolName: 'pay',
        input: input as never,
      });
    },
    pend: async (call) => {
      pended.add(call);
      await gone.begin(call);
      const { name: toolName, input } = call;
      const pending = { callKey: keyOf(call), output: { server: 'shop', tool: 'pay' } };
      const question = { id: questionOf(call), attempt: 1, askedAt: 0, toolName, input, sessionId, pending };
      await scene.journal.ask(fence, id, { ...question, kind: 'pending' });
    },
  };
  await leave(gone);
  if (!isParked) await scene.journal.renew([fence], 1);
  return gone;
}
