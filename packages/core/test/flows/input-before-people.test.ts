// Before a person is asked about a call of an in-process tool, its input is checked, so that no person has to decide about a
// call that cannot run. A plain `canUseTool` is asked in any case, because it may repair the input.
import { describe, expect, it } from 'vitest';
import { createCluster } from '@inboard/inboard/cluster.js';
import {
  allow,
  answerPermission,
  createApprovals,
  createMemoryApprovalStore,
  createSdkMcpServer,
  deny,
  InvalidOptionsError,
  query,
  run,
  tool,
  type CanUseTool,
  type Query,
} from '@inboard/inboard/index.js';
import { createFakeCli, text, toolUse } from '@inboard/inboard/testing.js';
import { openEditor } from '../../../acp/test/open-editor.js';
import { LiveScene } from '../../../inspector/test/support/live-scene.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { createScene } from '../../../ui/test/chat-scene.js';

const ORDER = 'mcp__shop__order';
const PROBLEM = 'The arguments of the tool "order" are not valid:\n- count: Expected number, received "many"';
const WRONG = { article: 'tea', count: 'many' };
const RIGHT = { article: 'tea', count: 2 };

function createShop() {
  const ran: unknown[] = [];
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [
      tool('order', 'Orders', { article: 'string', count: 'number' }, (input) => {
        ran.push(input);
        return 'ordered';
      }),
    ],
  });
  return { shop, ran };
}

/** A CLI whose model calls with a wrong input, then says what it read. */
function createCli(input: object = WRONG) {
  return createFakeCli([toolUse(ORDER, { ...input }), ({ answer }) => text(answer.text)], {
    allowEarlyEnd: true,
  });
}

async function order(canUseTool: CanUseTool, input?: object): Promise<{ said: string; ran: unknown[] }> {
  await using fake = createCli(input);
  const { shop, ran } = createShop();
  const { text: said } = await run({
    prompt: 'Order.',
    options: { transport: fake.transport, mcpServers: { shop }, canUseTool },
  });
  return { said, ran };
}

async function finish(session: Query): Promise<void> {
  for await (const message of session) if (message.type === 'result') return;
}

describe('a call with a wrong input', () => {
  it('is refused by a queue of approvals, which asks nobody', async () => {
    await using approvals = createApprovals();
    const { said, ran } = await order(approvals.canUseTool);
    expect(said).toContain(PROBLEM);
    expect(ran).toEqual([]);
    expect(await approvals.list({ answered: true })).toEqual([]);
  });

  it('is refused by a queue behind a callback that makes a copy of the options', async () => {
    await using approvals = createApprovals();
    const { said } = await order((name, input, options) => approvals.canUseTool(name, input, { ...options }));
    expect(said).toContain(PROBLEM);
  });

  it('is asked about if the callback before the queue has repaired it', async () => {
    await using approvals = createApprovals();
    const asked = approvals.watch();
    const done = order(async (name, input, options) => {
      const repaired = { ...input, count: 3 };
      const result = await approvals.canUseTool(name, repaired, options);
      return result?.behavior === 'allow' ? { ...result, updatedInput: repaired } : result;
    });
    const { value } = await asked.next();
    expect(value).toMatchObject({ toolName: ORDER, input: { article: 'tea', count: 3 } });
    await approvals.answer(value?.id ?? '', allow());
    expect(await done).toEqual({ said: 'ordered', ran: [{ article: 'tea', count: 3 }] });
  });

  it('is refused when a callback leaves it to somebody else', async () => {
    const { said, ran } = await order(async () => null);
    expect(said).toContain(PROBLEM);
    expect(ran).toEqual([]);
  });

  it('is shown on no page of the inspector, and a plain callback may still repair it', async () => {
    await using fake = createCli();
    await using scene = new LiveScene();
    const { shop, ran } = createShop();
    const seen: unknown[] = [];
    const session = query({
      prompt: 'Order.',
      options: {
        transport: fake.transport,
        mcpServers: { shop },
        canUseTool: async (_name, input) => {
          seen.push(input);
          return allow({ input: { ...input, count: 3 } });
        },
      },
    });
    scene.follow(session);
    await finish(session);
    expect(seen).toEqual([WRONG]);
    expect(ran).toEqual([{ article: 'tea', count: 3 }]);
    expect(await scene.eventsOf('asked')).toEqual([]);
  });

  it('is refused in a chat of a front end', async () => {
    const { shop, ran } = createShop();
    const { page, chat } = createScene([toolUse(ORDER, WRONG), ({ answer }) => text(answer.text)], {
      options: { mcpServers: { shop } },
    });
    await page.send('Order.');
    const list = (await (await page.fetch('/c1/approvals')).json()) as { approvals: unknown[] };
    expect(list.approvals).toEqual([]);
    expect(page.text).toContain(PROBLEM);
    expect(ran).toEqual([]);
    await chat.close();
  });

  it('is refused before an editor is asked', async () => {
    const { shop, ran } = createShop();
    const editor = await openEditor({
      script: [toolUse(ORDER, WRONG), ({ answer }) => text(answer.text)],
      service: { servers: { shop } },
      onPermission: () => {
        throw new Error('asked');
      },
    });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'Order.');
    expect(editor.asked).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('is refused in a cluster, whose journal keeps no question about it', async () => {
    const { shop, ran } = createShop();
    await using fake = createCli();
    await using cluster = createCluster({
      agents: { seller: () => ({ transport: fake.transport, mcpServers: { shop } }) },
    });
    await using _worker = await cluster.work();
    const turn = await cluster.conversation('1', { agent: 'seller' }).send('Order.');
    expect((await turn.outcome()).text).toContain(PROBLEM);
    expect(await cluster.approvals.list({ answered: true })).toEqual([]);
    expect(ran).toEqual([]);
  });
});

describe('an input that was changed', () => {
  it('by a person at a page is refused there, and can be corrected', async () => {
    const { shop, ran } = createShop();
    const { page } = createScene([toolUse(ORDER, RIGHT), text('Done.')], {
      options: { mcpServers: { shop } },
    });
    await page.send('Order.');
    const [approvalId = ''] = page.approvals;
    const refused = await page.fetch('/c1/approvals', { approvalId, approved: true, input: WRONG });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('count: Expected number');
    const taken = await page.fetch('/c1/approvals', { approvalId, approved: true, input: RIGHT });
    expect(taken.status).toBe(200);
    await page.answer(true);
    expect(ran).toEqual([RIGHT]);
  });

  it('by a plain callback is checked before the handler', async () => {
    const { said, ran } = await order(async () => allow({ input: WRONG }), RIGHT);
    expect(said).toContain(PROBLEM);
    expect(ran).toEqual([]);
  });

  it('by a person who answers a queue is refused there, and the question stays open', async () => {
    await using approvals = createApprovals();
    const done = order(approvals.canUseTool, RIGHT);
    const { value } = await approvals.watch().next();
    const id = value?.id ?? '';
    const refusal = await approvals.answer(id, allow({ input: WRONG })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InvalidOptionsError);
    expect(refusal).toMatchObject({
      options: ['updatedInput'],
      message: `The question stays open, because the tool would refuse the changed input. ${PROBLEM}`,
    });
    expect(await approvals.list()).toMatchObject([{ id }]);
    expect(await approvals.answer(id, allow({ input: { article: 'tea', count: 5 } }))).toBe(true);
    expect(await done).toEqual({ said: 'ordered', ran: [{ article: 'tea', count: 5 }] });
  });

  it('by a person who answers by the id of the question is refused, and the question stays open', async () => {
    let requestId = '';
    const done = order(async (_name, _input, options) => {
      ({ requestId } = options);
      return null;
    }, RIGHT);
    await waitUntil(() => requestId !== '');
    expect(() => answerPermission(requestId, allow({ input: WRONG }))).toThrow(PROBLEM);
    expect(answerPermission(requestId, deny('No tea.'))).toBe(true);
    expect((await done).ran).toEqual([]);
  });

  it('by a person who answers through another queue of this process is refused, and the question stays open', async () => {
    // What another process answers is asked again: see the tests of changed inputs.
    const store = createMemoryApprovalStore();
    await using asking = createApprovals({ store });
    await using answering = createApprovals({ store });
    const done = order(asking.canUseTool, RIGHT);
    const { value } = await answering.watch().next();
    await expect(answering.answer(value?.id ?? '', allow({ input: WRONG }))).rejects.toThrow(PROBLEM);
    expect(await answering.answer(value?.id ?? '', deny('No tea.'))).toBe(true);
    expect((await done).ran).toEqual([]);
  });
});
