// A whole cluster in one process, without any service: the real worker on fake CLIs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allow } from '@inboard/core/answer/permissions/decisions.js';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { createCluster } from '../src/create-cluster.js';
import { memoryDispatcher } from '../src/dispatch/memory-dispatcher.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import type { AgentConversation } from '../src/work/host/agents.js';
import { getClusterCall } from '../src/work/session/cluster-call.js';
import { createFakeCli } from '@inboard/testing/fake-cli/fake-cli.js';
import type { FakeScript } from '@inboard/testing/fake-cli/script/fake-step.js';
import { text, toolUse } from '@inboard/testing/script/reply.js';
import { take } from './support/test-cluster.js';

const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const called: Array<{ callKey: string; key: string | undefined }> = [];
const refund = tool({
  name: 'refund',
  description: 'Pays an order back',
  inputSchema: { order: 'string' },
  onRepeat: 'recorded',
  run: ({ order }, { callKey }) => {
    called.push({ callKey, key: getClusterCall()?.key });
    return `paid back ${order}`;
  },
});
const shop = createSdkMcpServer({ name: 'shop', tools: [refund] });

/** Agents whose CLI is a fake that plays the script of the conversation's data. */
function agentsOf(scripts: Record<string, FakeScript>) {
  const isolated = {
    env: { CLAUDE_CONFIG_DIR: folder, HOME: folder, PATH: process.env['PATH'] },
    cwd: folder,
  };
  return {
    support: ({ data }: AgentConversation<{ script: string }>) => ({
      ...isolated,
      mcpServers: { shop },
      transport: createFakeCli(scripts[data.script] ?? [], { allowEarlyEnd: true }).transport,
    }),
  };
}

describe('createCluster', () => {
  it('runs conversations, asks people through another cluster, and keeps conversations warm', async () => {
    const agents = agentsOf({
      pay: [toolUse('mcp__shop__refund', { order: '17' }), text('Paid.'), text('You are welcome.')],
    });
    const shared = { journal: memoryJournal(), dispatcher: memoryDispatcher() };
    await using workers = createCluster({ agents, ...shared });
    await using web = createCluster({ agents, ...shared });
    await workers.work({ keepWarmMs: 60_000 });
    const chat = web.conversation('chat', { agent: 'support', data: { script: 'pay' } });
    const turn = await chat.send('Pay 17 back', { id: 'm1' });
    const [question] = await take(web.approvals.watch(), 1);
    expect(question).toMatchObject({
      conversation: 'chat',
      turn: 'm1',
      toolName: 'mcp__shop__refund',
      input: { order: '17' },
    });
    expect(called).toEqual([]);
    expect(await web.approvals.answer(question?.id ?? '', allow(), 'ann')).toBe(true);
    expect(await turn.outcome()).toMatchObject({ ok: true, text: 'Paid.' });
    expect(called).toEqual([{ key: 'chat', callKey: question?.id }]);
    expect(await (await chat.send('Thanks')).outcome()).toMatchObject({ ok: true, text: 'You are welcome.' });
    const { lastEventId = 0 } = (await chat.info()) ?? {};
    const events = await take(chat.events(), lastEventId);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(
      events
        .filter(({ type }) => type !== 'message' && type !== 'text')
        .map((event) => ('state' in event ? event.state : event.type)),
    ).toEqual(['queued', 'running', 'question', 'answer', 'ended', 'queued', 'running', 'ended']);
    expect(await web.stats()).toMatchObject({
      turns: { ended: 2 },
      leases: 1,
      workers: [{ concurrency: 4 }],
    });
    const forgotten = await workers.forget({
      conversation: 'chat',
      local: { env: { CLAUDE_CONFIG_DIR: folder, HOME: folder } },
    });
    expect(forgotten).toMatchObject({ conversations: ['chat'], workers: [], left: [], local: { kept: [] } });
    expect(await chat.info()).toBeUndefined();
    expect(await web.approvals.list({ answered: true })).toEqual([]);
  });

  it('runs many at a time by default in memory, and forgets a tenant', async () => {
    await using cluster = createCluster({ agents: agentsOf({ hello: [text('one'), text('two')] }) });
    await cluster.work({ concurrency: 4, keepWarmMs: 0 });
    const start = { agent: 'support', data: { script: 'hello' }, tenant: 'acme' } as const;
    const turns = await Promise.all(
      Array.from({ length: 5 }, (_, index) => cluster.conversation(`c${index}`, start).send('Hi')),
    );
    const outcomes = await Promise.all(turns.map((turn) => turn.outcome()));
    expect(outcomes.map(({ text: said }) => said)).toEqual(turns.map(() => 'one'));
    await cluster.conversation('mine', { ...start, tenant: 'other' }).send('Hi');
    const { conversations, sessionIds, left } = await cluster.forget({
      tenant: 'acme',
      local: { env: { CLAUDE_CONFIG_DIR: folder, HOME: folder } },
    });
    expect(conversations).toEqual(turns.map((_, index) => `c${index}`));
    expect(new Set(sessionIds).size).toBe(5);
    expect(left).toEqual([]);
    expect((await cluster.conversations()).map(({ key }) => key)).toEqual(['mine']);
  });

  it('ends a turn whose agent fails, with its name', async () => {
    await using cluster = createCluster({
      agents: {
        broken: () => {
          throw new Error('no such customer');
        },
      },
    });
    await cluster.work({ maxAttempts: 1 });
    const turn = await cluster.conversation('a', { agent: 'broken' }).send('Hi');
    expect(await turn.outcome()).toMatchObject({
      ok: false,
      kind: 'failed',
      text: expect.stringContaining('no such customer') as string,
    });
  });
});
