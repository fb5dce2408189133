// Turns that wait without a CLI: the process is gone while a person thinks, and the same turn goes on with the true results.
import { expect } from 'vitest';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  allow,
  answerPermission,
  createSdkMcpServer,
  deny,
  openSession,
  reply,
  text,
  tool,
  toolUse,
  type CanUseTool,
  type Options,
  type Session,
  type SessionEvent,
} from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';

const PAY = 'mcp__shop__pay';

/** A shop whose payments are asked about, and stay open until they are answered by their ids. */
function createShop(more: Options = {}): { options: Options; ran: string[]; aborted: string[] } {
  const ran: string[] = [];
  const aborted: string[] = [];
  const pay = tool(
    'pay',
    'Pays.',
    { order: 'string' },
    ({ order }) => {
      ran.push(order);
      return `paid ${order}`;
    },
    { annotations: { readOnlyHint: true } },
  );
  const canUseTool: CanUseTool = async (_name, _input, { signal, requestId }) => {
    signal.addEventListener('abort', () => aborted.push(requestId));
    return null;
  };
  const shop = createSdkMcpServer({ name: 'shop', tools: [pay], alwaysLoad: true });
  return { options: { mcpServers: { shop }, canUseTool, permissionMode: 'default', ...more }, ran, aborted };
}

interface WaitingSession extends AsyncDisposable {
  session: Session;
  events: SessionEvent[];
  /** Resolves when the turn waits without a CLI, with the process id that the CLI had. */
  letGo(): Promise<number>;
}

function open(stage: Stage, options: Options, suspendAfterMs = 1): WaitingSession {
  const session = openSession({ options: stage.options(options), suspendAfterMs });
  const events: SessionEvent[] = [];
  void (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  return {
    session,
    events,
    letGo: async () => {
      let pid: number | undefined;
      await waitUntil(() => {
        pid = session.pid ?? pid;
        return session.state === 'waiting';
      }, 60_000);
      const gone = pid as number;
      await waitUntil(() => !isRunning(gone), 60_000);
      return gone;
    },
    [Symbol.asyncDispose]: () => session.close(),
  };
}

interface Block {
  type: string;
  tool_use_id?: string;
  content?: unknown;
  text?: string;
}

/** What the model was sent last: its results as texts, by the order of their calls, and the rest as JSON. */
function lastBlocks(stage: Stage): Block[] {
  const messages = (stage.lastRequest().body.messages ?? []) as readonly { content: string | Block[] }[];
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}

function resultsOf(stage: Stage): string[] {
  return lastBlocks(stage)
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => JSON.stringify(content));
}

const starts = (events: readonly SessionEvent[]): number =>
  events.filter(({ type }) => type === 'ready').length;

async function answerLater(cli: Cli): Promise<void> {
  const script = [reply(toolUse(PAY, { order: '7' }))];
  await onStage(cli, { script, onExhausted: text('Paid.') }, async (stage) => {
    const { options, ran, aborted } = createShop();
    await using waiting = open(stage, options);
    const { session, events } = waiting;
    const turn = session.send('Pay order 7.');
    const messages: unknown[] = [];
    const reading = (async () => {
      for await (const message of turn) messages.push(message);
    })();
    reading.catch(() => {});
    await waiting.letGo();
    const [question] = session.pendingPermissions();
    expect(session.pendingPermissions()).toMatchObject([
      { toolName: PAY, input: { order: '7' }, attempt: 1 },
    ]);
    expect(stage.model.conversation).toHaveLength(1);
    expect(answerPermission(String(question?.requestId), allow())).toBe(true);
    expect(await turn.text()).toBe('Paid.');
    await reading;
    expect(ran).toEqual(['7']);
    expect(aborted).toEqual([]);
    expect(resultsOf(stage)).toHaveLength(1);
    expect(resultsOf(stage)[0]).toContain('paid 7');
    expect(JSON.stringify(lastBlocks(stage))).not.toMatch(/unknown|interrupted/i);
    const types = messages.map((message) => (message as { type: string }).type);
    expect(types.filter((type) => type === 'result')).toHaveLength(1);
    expect(types.indexOf('user')).toBeGreaterThan(types.indexOf('assistant'));
    expect(starts(events)).toBe(2);
    expect(events).toContainEqual({ type: 'suspended', waitsFor: ['person'] });
    expect(events.some(({ type }) => type === 'crashed' || type === 'restarted')).toBe(false);
    // The next message works on.
    expect(await session.send('And now?').text()).toBe('Paid.');
  });
}

async function answerTwo(cli: Cli): Promise<void> {
  const script = [reply(toolUse(PAY, { order: '7' }), toolUse(PAY, { order: '8' }))];
  await onStage(cli, { script, onExhausted: text('Paid.') }, async (stage) => {
    const { options, ran } = createShop();
    await using waiting = open(stage, options, 300);
    const { session, events } = waiting;
    const turn = session.send('Pay both.');
    await waiting.letGo();
    const ids = session.pendingPermissions().map(({ requestId }) => requestId);
    expect(ids).toHaveLength(2);
    expect(answerPermission(String(ids[0]), allow())).toBe(true);
    await waitUntil(() => ran.length === 1);
    expect(session.state).toBe('waiting');
    expect(session.pendingPermissions().map(({ requestId }) => requestId)).toEqual([ids[1]]);
    expect(answerPermission(String(ids[1]), allow())).toBe(true);
    expect(await turn.text()).toBe('Paid.');
    expect(ran).toEqual(['7', '8']);
    expect(starts(events)).toBe(2);
    expect(resultsOf(stage).join(' ')).toMatch(/paid 7.*paid 8/);
    expect(JSON.stringify(lastBlocks(stage))).not.toMatch(/unknown|interrupted/i);
  });
}

async function denyAndEdit(cli: Cli): Promise<void> {
  const script = [
    reply(toolUse(PAY, { order: '7' })),
    reply(toolUse(PAY, { order: '8' })),
    reply(toolUse(PAY, { order: '8' })),
  ];
  await onStage(cli, { script, onExhausted: text('Done.') }, async (stage) => {
    const { options, ran } = createShop();
    await using waiting = open(stage, options);
    const { session, events } = waiting;
    const turn = session.send('Pay them.');
    const answer = async (how: Parameters<typeof answerPermission>[1]): Promise<void> => {
      await waiting.letGo();
      const before = stage.model.conversation.length;
      const [question] = session.pendingPermissions();
      expect(answerPermission(String(question?.requestId), how)).toBe(true);
      await waitUntil(() => stage.model.conversation.length > before, 60_000);
    };
    await answer(deny('Not today.'));
    expect(resultsOf(stage).at(-1)).toContain('Not today.');
    await answer({ behavior: 'allow', updatedInput: { order: '9' } });
    expect(resultsOf(stage).at(-1)).toContain('paid 9');
    // An equal call of the same turn is another call: it is asked about, and it runs.
    await answer(allow());
    expect(await turn.text()).toBe('Done.');
    expect(ran).toEqual(['9', '8']);
    expect(starts(events)).toBe(4);
  });
}

async function interruptIt(cli: Cli): Promise<void> {
  const script = [reply(toolUse(PAY, { order: '7' }))];
  await onStage(cli, { script, onExhausted: text('Yes.') }, async (stage) => {
    const { options, ran, aborted } = createShop();
    await using waiting = open(stage, options);
    const { session } = waiting;
    const turn = session.send('Pay order 7.');
    await waitUntil(() => session.state === 'waiting', 60_000);
    // At once, while the killed process may still be there.
    await session.interrupt();
    expect((await turn.outcome()).kind).toBe('interrupted');
    expect(session.pendingPermissions()).toEqual([]);
    expect(aborted).toHaveLength(1);
    expect(session.state).toBe('suspended');
    expect(stage.model.conversation).toHaveLength(1);
    expect(await session.send('Are you there?').text()).toBe('Yes.');
    expect(ran).toEqual([]);
    expect(resultsOf(stage)[0]).toContain('did not run: the turn was interrupted');
  });
}

async function countOnce(cli: Cli): Promise<void> {
  const script = [text('Hello.'), reply(toolUse(PAY, { order: '7' })), text('Paid.'), text('Bye.')];
  await onStage(cli, { script }, async (stage) => {
    const { options } = createShop();
    await using waiting = open(stage, options);
    const { session } = waiting;
    const first = await session.send('Hello?').outcome();
    const turn = session.send('Pay order 7.');
    await waiting.letGo();
    const [question] = session.pendingPermissions();
    answerPermission(String(question?.requestId), allow());
    const second = await turn.outcome();
    const third = await session.send('Bye.').outcome();
    const { total, turns, disagreements } = session.usageReport();
    // Every request of the scripted model is alike.
    const { inputTokens } = first.turnUsage;
    expect(inputTokens).toBeGreaterThan(0);
    expect([second, third].map(({ turnUsage }) => turnUsage.inputTokens)).toEqual([
      2 * inputTokens,
      inputTokens,
    ]);
    expect(turns.map(({ main }) => main.inputTokens)).toEqual([inputTokens, 2 * inputTokens, inputTokens]);
    expect(total.usage.inputTokens).toBe(4 * inputTokens);
    expect(disagreements).toEqual([]);
    expect(turns.map(({ turnCostUsd }) => turnCostUsd)).toEqual(
      [first, second, third].map(({ turnCostUsd }) => turnCostUsd),
    );
    expect(third.totalCostUsd).toBeCloseTo(total.totalCostUsd, 9);
    // The oldest CLI does not say what it has cost before its turn is over.
    if (cli.isNew) expect(total.totalCostUsd).toBeCloseTo(4 * first.turnCostUsd, 9);
  });
}

export const waitingTurnCases: CaseSet = {
  'goes on with the same turn after an answer': answerLater,
  'is over when its turn is interrupted': interruptIt,
  'counts what the turn used on both CLIs, once': countOnce,
};

export const waitingManyCases: CaseSet = {
  'starts one CLI for two answers that come one after the other': answerTwo,
  'tells of a denial, and runs a call with the edited input': denyAndEdit,
};
