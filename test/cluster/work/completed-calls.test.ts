// Calls that were cut off, in a cluster: each gets its true result from a model that never makes a call again.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { RepeatPolicy } from '../../../src/answer/mcp/tool/repeat-policy.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { ConversationHistory } from '../../../src/cluster/journal/records.js';
import { checkHistory } from '../../../src/cluster/journal/check-history.js';
import type { Agent } from '../../../src/cluster/work/agents.js';
import { reply, text, toolUse } from '../../../src/testing/script/reply.js';
import { isRecord } from '../../../src/util/guards.js';
import type { PermissionResult } from '../../../src/wire/protocol/control/permission-question.js';
import { waitUntil } from '../../support/wait-until.js';
import { told, WorkerScene } from './worker-scene.js';

const CALL = toolUse('mcp__shop__pay', { order: 7 });
const OTHER = toolUse('mcp__shop__pay', { order: 8 });
const DONE = text('Done.');
const UNKNOWN = /unknown|not known/i;

function shop(runs: unknown[], { onRepeat, run }: { onRepeat?: RepeatPolicy; run?: () => unknown } = {}) {
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    ...(onRepeat && { onRepeat }),
    run: async ({ order }) => {
      runs.push(order);
      await run?.();
      return `paid ${order}`;
    },
  });
  return createSdkMcpServer({ name: 'shop', tools: [pay] });
}

/** Answers the oldest question, once its turn is parked and its worker has let go of it. */
async function answerParked(scene: WorkerScene, result: PermissionResult = { behavior: 'allow' }): Promise<void> {
  await waitUntil(async () => {
    const { turns, leases } = await scene.journal.stats();
    return turns.parked === 1 && leases === 0;
  });
  const [question] = await scene.journal.questions();
  await scene.journal.answer(question?.id ?? '', { result, answeredAt: 0, by: 'ann' });
  await scene.dispatcher.wake('chat');
}

async function read(scene: WorkerScene): Promise<ConversationHistory> {
  const history = (await scene.journal.history('chat')) as ConversationHistory;
  expect(checkHistory([history], { repeatable: [] })).toEqual([]);
  return history;
}

interface Result {
  tool_use_id: string;
  content: unknown;
  is_error?: boolean;
}

function resultsIn(message: unknown): Result[] {
  const { content } = (isRecord(message) ? message : {}) as { content?: unknown };
  if (!Array.isArray(content)) return [];
  return (content as unknown[]).filter((block): block is Result => isRecord(block) && block['type'] === 'tool_result');
}

/** The results in the transcript, as texts. */
function transcriptResults({ entries }: ConversationHistory): string[] {
  return entries.flatMap(({ entry }) =>
    resultsIn((entry as { message?: unknown }).message).map(({ content }) => JSON.stringify(content)),
  );
}

/** The results among the events, as texts. */
function eventResults({ events }: ConversationHistory): string[] {
  return events.flatMap((event) =>
    event.type === 'message' && isRecord(event.message)
      ? resultsIn(event.message['message']).map(({ content }) => JSON.stringify(content))
      : [],
  );
}

function noted({ events }: ConversationHistory): unknown[] {
  return events.flatMap((event) =>
    event.type === 'message' && isRecord(event.message) && event.message['subtype'] === 'inboard_completed_calls'
      ? (event.message['calls'] as unknown as unknown[])
      : [],
  );
}

describe('a call whose question was parked', () => {
  it.each([
    { name: 'allowed', result: { behavior: 'allow' }, runs: [7], shown: 'paid 7', how: 'ran' },
    {
      name: 'allowed with another input',
      result: { behavior: 'allow', updatedInput: { order: 9 } },
      runs: [9],
      shown: 'paid 9',
      how: 'ran',
    },
    { name: 'denied', result: { behavior: 'deny', message: 'Not today.' }, runs: [], shown: 'Not today.', how: 'denied' },
  ] as const)('gets its result when it is $name', async ({ result, runs, shown, how }) => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[CALL], [DONE]], { mcpServers: { shop: shop(ran) } });
    const worker = await scene.work({ holdApprovalMs: 10 });
    const id = await scene.send('Pay');
    await answerParked(scene, result as PermissionResult);
    const { outcome, attempt, tries } = await scene.ended(id);
    expect(outcome).toMatchObject({ ok: true, text: 'Done.', completedCalls: [{ how, delivered: true, by: 'ann' }] });
    expect({ attempt, tries }).toEqual({ attempt: 2, tries: 1 });
    expect(ran).toEqual(runs);
    const history = await read(scene);
    expect(transcriptResults(history)).toEqual([expect.stringContaining(shown)]);
    expect(eventResults(history)).toEqual([expect.stringContaining(shown)]);
    expect(noted(history)).toMatchObject([{ how, delivered: true, toolName: 'mcp__shop__pay' }]);
    expect(told(worker, 'call-completed')).toMatchObject([{ how, delivered: true, turn: id }]);
    expect(told(worker, 'trouble')).toEqual([]);
  });

  it('ends the turn when its denial says so, with one try', async () => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[CALL], [DONE]], { mcpServers: { shop: shop(ran) } });
    const worker = await scene.work({ holdApprovalMs: 10 });
    const id = await scene.send('Pay');
    await answerParked(scene, { behavior: 'deny', message: 'Stop it.', interrupt: true });
    const { outcome, attempt, tries } = await scene.ended(id);
    expect(outcome).toMatchObject({ ok: false, kind: 'interrupted', completedCalls: [{ how: 'denied' }] });
    expect({ attempt, tries }).toEqual({ attempt: 2, tries: 1 });
    expect(told(worker, 'trouble')).toEqual([]);
    expect(eventResults(await read(scene))).toEqual([expect.stringContaining('Stop it.')]);
    expect(ran).toEqual([]);
  });

  it('waits for the others of its message without a CLI, parked again, and costs nothing meanwhile', async () => {
    const ran: unknown[] = [];
    await using scene = new WorkerScene([[reply(CALL, OTHER)], [DONE]], { mcpServers: { shop: shop(ran) } });
    const worker = await scene.work({ holdApprovalMs: 10 });
    const id = await scene.send('Pay');
    await answerParked(scene);
    await waitUntil(() => told(worker, 'turn-parked').length === 2);
    const { costUsd } = (await scene.journal.turn('chat', id)) ?? {};
    const asked = await scene.journal.questions();
    expect(scene.opened).toHaveLength(1);
    // Both were asked at once, or the second one only now.
    expect(asked.length).toBeLessThanOrEqual(1);
    if (asked.length === 1) await answerParked(scene);
    const { outcome, tries } = await scene.ended(id);
    expect(outcome).toMatchObject({ ok: true, text: 'Done.' });
    expect(tries).toBe(1);
    expect(costUsd).toBeLessThanOrEqual(outcome?.costUsd ?? 0);
    expect(ran).toEqual([7, 8]);
    expect(transcriptResults(await read(scene)).join()).toMatch(/paid 7.*paid 8/);
    expect(scene.opened).toHaveLength(2);
  });
});
