// A conversation of a group that waits for a person does not keep others from running, and runs within the limit again
// when it goes on.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  allow,
  answerPermission,
  createApprovals,
  createSdkMcpServer,
  createSessionGroup,
  tool,
  type Approvals,
  type QueryOptions,
  type Session,
  type SessionGroup,
} from '@inboard/inboard/index.js';
import {
  createFakeCli,
  crash,
  gate,
  held,
  reply,
  text,
  toolUse,
  type FakeContext,
  type FakeScriptItem,
} from '@inboard/inboard/testing.js';
import { createDeferred, type Deferred } from '../../src/util/deferred.js';
import { PATIENCE_MS } from '../../../../test/support/wait-until.js';

interface Desk {
  group: SessionGroup;
  /** Waits in front of a person, and in the ask tool. */
  asker: Session;
  other: Session;
  log: string[];
  /** Whom the tools ask. */
  person: Deferred<string>;
}

/** A group in which the first conversation needs a person and the second does not. */
function openDesk(
  limits: { maxRunning: number; maxOpen?: number },
  asking: QueryOptions,
  script: readonly FakeScriptItem[] = ASK,
  approvals?: Approvals,
): Desk {
  const log: string[] = [];
  const person: Deferred<string> = createDeferred();
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [
      tool({ name: 'pay', run: () => (log.push('paid'), 'paid') }),
      tool({ name: 'ask', waits: 'for-person', run: () => person.promise }),
      tool({
        name: 'refund',
        run: async (_, extra) => (await approvals?.ask({ title: 'Pay?' }, extra))?.behavior,
      }),
      tool({
        name: 'consult',
        run: async (_, { waitForPerson }) => `heard ${await waitForPerson(person.promise)}`,
      }),
    ],
  });
  const fake = createFakeCli(
    async ({ firstPrompt }) => ((await firstPrompt) === 'Ask.' ? script : [text('Quick.')]),
    { allowEarlyEnd: true },
  );
  const options = { transport: fake.transport, mcpServers: { shop }, onWarning: () => {} };
  const group = createSessionGroup({ ...limits, options });
  onTestFinished(async () => {
    await group.closeAll();
    await fake.close();
  });
  const asker = group.open({ key: 'asker', options: { allowedTools: [shop], ...asking } });
  return { group, asker, other: group.open({ key: 'other' }), log, person };
}

const ASK = [toolUse('mcp__shop__pay'), text('Done.')];
const LEFT_OPEN: QueryOptions = { allowedTools: [], canUseTool: async () => null };

async function untilLent({ group }: Desk): Promise<void> {
  await vi.waitFor(() => expect(group.stats()).toMatchObject({ lent: 1 }), PATIENCE_MS);
}

function answer({ asker }: Desk): void {
  for (const { requestId } of asker.pendingPermissions()) answerPermission(requestId, allow());
}

describe('a turn that waits for a person', () => {
  it('lends its place while a question is left open', async () => {
    const desk = openDesk({ maxRunning: 1 }, LEFT_OPEN);
    const asked = desk.asker.send('Ask.');
    await untilLent(desk);
    expect(desk.group.stats()).toMatchObject({ running: 0, lent: 1 });
    expect(await desk.other.send('Quick?').text()).toBe('Quick.');
    answer(desk);
    expect(await asked.text()).toBe('Done.');
    expect(desk.group.stats()).toMatchObject({ running: 0, lent: 0 });
  });

  it('lends it while a callback takes longer than code would', async () => {
    const decision = createDeferred<ReturnType<typeof allow>>();
    const desk = openDesk({ maxRunning: 1 }, { allowedTools: [], canUseTool: () => decision.promise });
    const asked = desk.asker.send('Ask.');
    expect(await desk.other.send('Quick?').text()).toBe('Quick.');
    decision.resolve(allow());
    expect(await asked.text()).toBe('Done.');
  });

  it('keeps it while a callback decides by itself', async () => {
    const desk = openDesk({ maxRunning: 1 }, { allowedTools: [], canUseTool: async () => allow() });
    const order: string[] = [];
    const asked = desk.asker.send('Ask.').text();
    const other = desk.other.send('Quick?').text();
    await Promise.all([asked.then(() => order.push('asker')), other.then(() => order.push('other'))]);
    expect(order).toEqual(['asker', 'other']);
  });

  it.each(['ask', 'consult'])('lends it while the tool "%s" waits', async (name) => {
    const desk = openDesk({ maxRunning: 1 }, {}, [toolUse(`mcp__shop__${name}`), text('Done.')]);
    const asked = desk.asker.send('Ask.');
    await untilLent(desk);
    expect(await desk.other.send('Quick?').text()).toBe('Quick.');
    desk.person.resolve('yes');
    expect(await asked.text()).toBe('Done.');
  });

  it('lends it while its handler asks for an approval', async () => {
    await using approvals = createApprovals();
    const desk = openDesk({ maxRunning: 1 }, {}, [toolUse('mcp__shop__refund'), text('Done.')], approvals);
    const asked = desk.asker.send('Ask.');
    await untilLent(desk);
    expect(await desk.other.send('Quick?').text()).toBe('Quick.');
    for (const { id } of await approvals.list()) await approvals.answer(id, allow());
    expect(await asked.text()).toBe('Done.');
  });

  it('goes on only when it has a place again', async () => {
    const door = gate<FakeContext>();
    const log: string[] = [];
    const desk = openDesk({ maxRunning: 1 }, LEFT_OPEN);
    const busy = createFakeCli([held(text('Slow.'), door)], { allowEarlyEnd: true });
    const slow = desk.group.open({ key: 'slow', options: { transport: busy.transport } });
    const asked = desk.asker.send('Ask.');
    await untilLent(desk);
    const slowly = slow.send('Slow?').text();
    await door.reached;
    answer(desk);
    // The answer is given, and the tool still waits for its place: what else could run has run by then.
    await new Promise((resolve) => setImmediate(resolve));
    expect(desk.log).toEqual([]);
    expect(desk.group.stats()).toMatchObject({ running: 1, lent: 1 });
    door.open();
    void slowly.then(() => log.push('slow'));
    expect(await asked.text()).toBe('Done.');
    expect({ log, paid: desk.log }).toEqual({ log: ['slow'], paid: ['paid'] });
    await busy.close();
  });

  it('goes before turns that have not begun', async () => {
    const desk = openDesk({ maxRunning: 1 }, LEFT_OPEN);
    const order: string[] = [];
    const door = gate<FakeContext>();
    const busy = createFakeCli([held(text('Slow.'), door), text('Again.')], { allowEarlyEnd: true });
    const slow = desk.group.open({ key: 'slow', options: { transport: busy.transport } });
    const asked = desk.asker.send('Ask.').text();
    await untilLent(desk);
    const first = slow.send('Slow?').text();
    await door.reached;
    const later = desk.other.send('Quick?').text();
    answer(desk);
    door.open();
    await Promise.all([
      first.then(() => order.push('slow')),
      asked.then(() => order.push('asker')),
      later.then(() => order.push('other')),
    ]);
    expect(order).toEqual(['slow', 'asker', 'other']);
    await busy.close();
  });

  it('keeps its place while another of its calls works', async () => {
    const work = createDeferred<string>();
    const busy = createSdkMcpServer({
      name: 'busy',
      tools: [tool.readOnly({ name: 'work', run: () => work.promise })],
    });
    const desk = openDesk(
      { maxRunning: 1 },
      { mcpServers: { busy }, allowedTools: [busy], canUseTool: async () => null },
      [
        reply(toolUse('mcp__busy__work'), toolUse('Read', {}, { result: 'x', permission: 'ask' })),
        text('Done.'),
      ],
    );
    const asked = desk.asker.send('Ask.');
    await vi.waitFor(() => expect(desk.asker.pendingPermissions()).toHaveLength(1), PATIENCE_MS);
    expect(desk.group.stats()).toMatchObject({ running: 1, lent: 0 });
    work.resolve('done');
    await untilLent(desk);
    answer(desk);
    expect(await asked.text()).toBe('Done.');
  });

  it('does not wait for a turn that waits for the room its own CLI takes', async () => {
    const desk = openDesk({ maxRunning: 1, maxOpen: 1 }, LEFT_OPEN);
    const asked = desk.asker.send('Ask.');
    await untilLent(desk);
    const quick = desk.other.send('Quick?').text();
    await vi.waitFor(
      () => expect(desk.group.stats()).toMatchObject({ running: 1, lent: 1, open: 1 }),
      PATIENCE_MS,
    );
    answer(desk);
    expect(await asked.text()).toBe('Done.');
    expect(await quick).toBe('Quick.');
    expect(desk.group.stats()).toMatchObject({ running: 0, lent: 0 });
  });

  it('leaves nothing behind when it is interrupted, closed, or its CLI crashes', async () => {
    const interrupted = openDesk({ maxRunning: 1 }, LEFT_OPEN);
    const turn = interrupted.asker.send('Ask.');
    await untilLent(interrupted);
    await interrupted.asker.interrupt();
    expect(await turn.outcome()).toMatchObject({ ok: false });
    expect(interrupted.group.stats()).toMatchObject({ running: 0, lent: 0 });
    expect(await interrupted.other.send('Quick?').text()).toBe('Quick.');

    const closed = openDesk({ maxRunning: 1 }, LEFT_OPEN);
    closed.asker
      .send('Ask.')
      .outcome()
      .catch(() => {});
    await untilLent(closed);
    await closed.asker.close();
    expect(closed.group.stats()).toMatchObject({ running: 0, lent: 0 });
    expect(await closed.other.send('Quick?').text()).toBe('Quick.');

    const dead = createDeferred<void>();
    const crashed = openDesk({ maxRunning: 1 }, LEFT_OPEN, [
      toolUse('mcp__shop__pay', {}, { cancelWhen: dead.promise }),
      crash(),
    ]);
    const cut = crashed.asker.send('Ask.');
    await untilLent(crashed);
    answer(crashed);
    await expect(cut.outcome()).rejects.toMatchObject({ code: 'TURN_LOST' });
    expect(crashed.group.stats()).toMatchObject({ running: 0, lent: 0 });
    expect(await crashed.other.send('Quick?').text()).toBe('Quick.');
  });
});

it('refuses another mark', () => {
  expect(() => tool({ name: 'ask', waits: 'for-godot' as 'for-person', run: () => '' })).toThrow(
    `The option "waits" of the tool "ask" must be 'for-person', or left out`,
  );
});
