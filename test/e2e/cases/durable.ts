// Attempts at turns on a ledger: begun, cut off, continued, answered by people between two attempts, and taken over by a newer one.
import { expect } from 'vitest';
import { attemptTurn } from '../../../packages/durable/src/attempt/attempt-turn.js';
import type { AttemptEnd } from '../../../packages/durable/src/attempt/attempt-end.js';
import type { AttemptTurnInput } from '../../../packages/durable/src/attempt/attempt-input.js';
import { LEDGER_PROJECT_KEY } from '../../../packages/durable/src/attempt/held-store.js';
import type { Ledger } from '../../../packages/durable/src/ledger/ledger.js';
import { createMemoryLedger } from '../../../packages/durable/src/ledger/memory-ledger.js';
import { createDeferred } from '../../../packages/core/src/util/deferred.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import {
  allow,
  createCalls,
  createSdkMcpServer,
  deny,
  pending,
  text,
  tool,
  toolUse,
  type Options,
} from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';

const TURN = { id: 'turn-1', content: 'Refund order 7' };

const NEXT = { id: 'turn-2', content: 'And then?' };
const INTERRUPTED = { state: 'ended', outcome: { ok: false, kind: 'interrupted' } };

/** The results of tools in the last request to the model, in order. */
function resultsOf(stage: Stage): string[] {
  const messages = stage.lastRequest().body.messages ?? [];
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => {
          const { type, content: given } = block as { type: string; content?: unknown };
          if (type !== 'tool_result') return [];
          return typeof given === 'string'
            ? given
            : (given as { text?: string }[]).map(({ text: t }) => t).join('');
        }),
  );
}

interface Shop {
  readonly options: Options;
  readonly effects: string[];
}

/** A shop with one tool, whose effects are counted. */
function createShop(
  stage: Stage,
  { onEffect, ...more }: { onEffect?: () => unknown; onRepeat?: 'run' | 'unknown'; allowed?: boolean },
): Shop {
  const effects: string[] = [];
  const refund = tool({
    name: 'refund',
    description: 'Refunds an order.',
    inputSchema: { order: 'number' },
    ...(more.onRepeat && { onRepeat: more.onRepeat }),
    run: async ({ order }) => {
      effects.push(`refund ${order}`);
      await onEffect?.();
      return `refunded ${order}`;
    },
  });
  const server = createSdkMcpServer({ name: 'shop', tools: [refund], alwaysLoad: true });
  const options = stage.options({
    mcpServers: { shop: server },
    permissionMode: 'default',
    ...(more.allowed !== false && { allowedTools: [refund] }),
  });
  return { options, effects };
}

const CALL = toolUse('mcp__shop__refund', { order: 7 });

function attemptOn(base: Omit<AttemptTurnInput, 'turn' | 'conversation'>) {
  return (more: Partial<AttemptTurnInput> = {}): Promise<AttemptEnd> =>
    attemptTurn({ conversation: 'chat', turn: TURN, suspendAfterMs: 200, ...base, ...more });
}

/** A ledger, and a function that reads everything it has of the conversation that was taken last. */
function createReadLedger(): { ledger: Ledger; readAll: () => Promise<unknown> } {
  const inner = createMemoryLedger();
  let sessionId = '';
  const take: Ledger['take'] = async (key, options) => {
    const taken = await inner.take(key, options);
    if ('sessionId' in taken) ({ sessionId } = taken);
    return taken;
  };
  const readAll = async (): Promise<unknown> => {
    const key = { projectKey: LEDGER_PROJECT_KEY, sessionId };
    return [await inner.store().load(key), await inner.store().calls(key).load()];
  };
  return { ledger: { ...inner, take }, readAll };
}

function expectWaiting(end: AttemptEnd): Extract<AttemptEnd, { state: 'waiting' }> {
  if (end.state !== 'waiting') throw new Error(`Not waiting: ${JSON.stringify(end)}`);
  return end;
}

export const durableCases: CaseSet = {
  'begins a conversation, resumes it, and finds the answers of turns that have ended': async (cli) => {
    await onStage(cli, { script: [text('one'), text('two')] }, async (stage) => {
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: stage.options() });
      const next = { id: 'turn-2', content: 'And then?' };
      const heard: string[] = [];
      const onMessage = ({ type }: { type: string }): void => void heard.push(type);
      expect(await attempt({ onMessage })).toMatchObject({
        state: 'ended',
        outcome: { ok: true, text: 'one' },
      });
      expect(heard).toContain('assistant');
      expect(await attempt({ turn: next })).toMatchObject({
        state: 'ended',
        outcome: { ok: true, text: 'two' },
      });
      const recovered = { ok: true, kind: 'ok', turnCostUsd: 0, recovered: true };
      expect(await attempt()).toEqual({ state: 'ended', outcome: { ...recovered, text: 'one' } });
      expect(await attempt({ turn: next })).toEqual({
        state: 'ended',
        outcome: { ...recovered, text: 'two' },
      });
      expect(stage.model.conversation).toHaveLength(2);
    });
  },

  'ends with a question, and gives the call its result once there is an answer': async (cli) => {
    await onStage(cli, { script: [CALL, text('done')] }, async (stage) => {
      const { options, effects } = createShop(stage, { allowed: false });
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: options });
      const first = expectWaiting(await attempt());
      expect(first.questions).toMatchObject([
        { kind: 'permission', toolName: 'mcp__shop__refund', input: { order: 7 } },
      ]);
      expect(first.pending).toEqual([]);
      // Another attempt without an answer starts no CLI, and has the same question.
      const again = expectWaiting(await attempt());
      expect(again.questions.map(({ id }) => id)).toEqual(first.questions.map(({ id }) => id));
      expect([stage.model.conversation.length, effects]).toEqual([1, []]);
      const answers = first.questions.map(({ id }) => ({ id, result: allow(), by: 'ann' }));
      const end = await attempt({ answers });
      expect(end).toMatchObject({ state: 'ended', outcome: { ok: true, text: 'done' } });
      expect(end).toMatchObject({ outcome: { completedCalls: [{ how: 'ran', delivered: true }] } });
      expect(effects).toEqual(['refund 7']);
      expect(resultsOf(stage)).toEqual(['refunded 7']);
      // The same answers once more change nothing.
      expect(await attempt({ answers })).toMatchObject({ state: 'ended', outcome: { recovered: true } });
      expect([stage.model.conversation.length, effects.length]).toEqual([2, 1]);
    });
  },

  'tells the model that a person denied a call': async (cli) => {
    await onStage(cli, { script: [CALL, text('then not')] }, async (stage) => {
      const { options, effects } = createShop(stage, { allowed: false });
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: options });
      const { questions } = expectWaiting(await attempt());
      const answers = questions.map(({ id }) => ({ id, result: deny('Not this one.') }));
      expect(await attempt({ answers })).toMatchObject({ state: 'ended', outcome: { text: 'then not' } });
      expect([effects, resultsOf(stage).join()]).toEqual([
        [],
        expect.stringContaining('Not this one.') as string,
      ]);
    });
  },

  'ends the turn where the denial says so': async (cli) => {
    await onStage(cli, { script: [CALL] }, async (stage) => {
      const { options } = createShop(stage, { allowed: false });
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: options });
      const { questions } = expectWaiting(await attempt());
      const answers = questions.map(({ id }) => ({ id, result: deny('Stop.', { interrupt: true }) }));
      const stopped = { state: 'ended', outcome: { ok: false, kind: 'interrupted' } };
      expect(await attempt({ answers })).toMatchObject(stopped);
      expect(await attempt()).toMatchObject(stopped);
    });
  },

  'runs a handler from its start when the person that it asked has answered': async (cli) => {
    await onStage(cli, { script: [toolUse('mcp__shop__ask', {}), text('done')] }, async (stage) => {
      const effects: string[] = [];
      const agent: AttemptTurnInput['agent'] = ({ approvals }) => {
        const ask = tool({
          name: 'ask',
          description: 'Asks.',
          inputSchema: {},
          run: async (_, extra) => {
            const answer = await approvals.ask({ title: 'Really?' }, extra);
            effects.push(answer.behavior);
            return 'asked';
          },
        });
        const shop = createSdkMcpServer({ name: 'shop', tools: [ask], alwaysLoad: true });
        return stage.options({ mcpServers: { shop }, allowedTools: [ask] });
      };
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent });
      const { questions } = expectWaiting(await attempt());
      expect(questions).toMatchObject([{ kind: 'tool', title: 'Really?' }]);
      const answers = questions.map(({ id }) => ({ id, result: allow() }));
      expect(await attempt({ answers })).toMatchObject({ state: 'ended', outcome: { text: 'done' } });
      expect([effects, resultsOf(stage)]).toEqual([['allow'], ['asked']]);
    });
  },

  'ends with a pending call, and goes on with its result': async (cli) => {
    await onStage(cli, { script: [toolUse('mcp__shop__order', {}), text('done')] }, async (stage) => {
      const order = tool({
        name: 'order',
        description: 'Orders.',
        inputSchema: {},
        run: () => pending({ note: 'tomorrow' }),
      });
      const shop = createSdkMcpServer({ name: 'shop', tools: [order], alwaysLoad: true });
      const agent = stage.options({ mcpServers: { shop }, allowedTools: [order] });
      const ledger = createMemoryLedger();
      const attempt = attemptOn({ ledger, agent });
      const first = expectWaiting(await attempt());
      expect(first).toMatchObject({
        questions: [],
        pending: [{ toolName: 'mcp__shop__order', note: 'tomorrow' }],
      });
      expect(expectWaiting(await attempt()).pending).toEqual(first.pending);
      const calls = createCalls({ sessionStore: ledger.store(), projectKey: LEDGER_PROJECT_KEY });
      for (const { callKey } of first.pending) await calls.complete(callKey, 'ordered');
      expect(await attempt()).toMatchObject({ state: 'ended', outcome: { text: 'done' } });
      expect([stage.model.conversation.length, resultsOf(stage)]).toEqual([2, ['ordered']]);
    });
  },

  'is left by its signal as by a crash, and does not run a call twice': async (cli) => {
    await onStage(cli, { script: [CALL, text('checked')] }, async (stage) => {
      const begun = createDeferred<void>();
      const { options, effects } = createShop(stage, {
        onEffect: () => (begun.resolve(), new Promise(() => {})),
      });
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: options });
      const controller = new AbortController();
      const first = attempt({ signal: controller.signal });
      await begun.promise;
      controller.abort(new Error('enough'));
      await expect(first).rejects.toMatchObject({ name: 'AbortError' });
      expect(await attempt()).toMatchObject({ state: 'ended', outcome: { text: 'checked' } });
      expect(effects).toHaveLength(1);
      expect(resultsOf(stage).join()).toMatch(/not known|unknown/i);
    });
  },

  'runs a call again where its tool allows that': async (cli) => {
    await onStage(cli, { script: [CALL, text('done')] }, async (stage) => {
      const begun = createDeferred<void>();
      let runs = 0;
      const onEffect = (): unknown => {
        runs += 1;
        begun.resolve();
        return runs === 1 ? new Promise(() => {}) : undefined;
      };
      const { options, effects } = createShop(stage, { onEffect, onRepeat: 'run' });
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: options });
      const controller = new AbortController();
      const first = attempt({ signal: controller.signal });
      await begun.promise;
      controller.abort();
      await expect(first).rejects.toMatchObject({ name: 'AbortError' });
      expect(await attempt()).toMatchObject({ state: 'ended', outcome: { text: 'done' } });
      expect([effects.length, resultsOf(stage)]).toEqual([2, ['refunded 7']]);
    });
  },

  'ends an older attempt of the same process, and goes on with its turn': async (cli) => {
    await onStage(cli, { script: [CALL, text('checked')] }, async (stage) => {
      const begun = createDeferred<void>();
      const { options, effects } = createShop(stage, {
        onEffect: () => (begun.resolve(), new Promise(() => {})),
      });
      const { ledger, readAll } = createReadLedger();
      const attempt = attemptOn({ ledger, agent: options });
      const old = attempt();
      await begun.promise;
      await waitUntil(async () => JSON.stringify(await readAll()).includes('"tool_use"'));
      const newer = attempt();
      expect(await old).toEqual({ state: 'lost' });
      expect(await newer).toMatchObject({ state: 'ended', outcome: { ok: true, text: 'checked' } });
      expect(effects).toHaveLength(1);
    });
  },

  'is interrupted in the middle of a tool: the turn is over, and the model knows that': async (cli) => {
    await onStage(cli, { script: [CALL, text('next')] }, async (stage) => {
      const begun = createDeferred<void>();
      const { options, effects } = createShop(stage, {
        onEffect: () => (begun.resolve(), new Promise(() => {})),
      });
      const { ledger, readAll } = createReadLedger();
      const attempt = attemptOn({ ledger, agent: options });
      const controller = new AbortController();
      const first = attempt({ interrupt: controller.signal });
      await begun.promise;
      await waitUntil(async () => JSON.stringify(await readAll()).includes('"tool_use"'));
      controller.abort();
      expect(await first).toMatchObject(INTERRUPTED);
      expect(await attempt()).toMatchObject({ ...INTERRUPTED, outcome: { recovered: true } });
      expect(await attempt({ turn: NEXT })).toMatchObject({ state: 'ended', outcome: { text: 'next' } });
      expect([stage.model.conversation.length, effects.length]).toEqual([2, 1]);
      expect(resultsOf(stage)).toHaveLength(1);
    });
  },

  'is interrupted while a question is open: the question is gone, and its call has not run': async (cli) => {
    await onStage(cli, { script: [CALL, text('next')] }, async (stage) => {
      const { options, effects } = createShop(stage, { allowed: false });
      const { ledger, readAll } = createReadLedger();
      const attempt = attemptOn({ ledger, agent: options, suspendAfterMs: 60_000 });
      const controller = new AbortController();
      const first = attempt({ interrupt: controller.signal });
      await waitUntil(async () =>
        /"asked".*"tool_use"|"tool_use".*"asked"/.test(JSON.stringify(await readAll())),
      );
      controller.abort();
      expect(await first).toMatchObject(INTERRUPTED);
      expect(await attempt({ turn: NEXT })).toMatchObject({ state: 'ended', outcome: { text: 'next' } });
      expect([stage.model.conversation.length, effects]).toEqual([2, []]);
    });
  },

  'is interrupted while it waits without a CLI: starts none, and tells the transcript': async (cli) => {
    await onStage(cli, { script: [CALL, text('next')] }, async (stage) => {
      const { options, effects } = createShop(stage, { allowed: false });
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: options });
      const { questions } = expectWaiting(await attempt());
      // This one completes the calls, and waits for the answer in this process.
      const controller = new AbortController();
      const asked = createDeferred<void>();
      const agent = (): Options => (asked.resolve(), options);
      const second = attempt({ agent, suspendAfterMs: 60_000, interrupt: controller.signal });
      await asked.promise;
      controller.abort();
      expect(await second).toEqual({
        state: 'ended',
        outcome: { ok: false, kind: 'interrupted', text: 'The turn was ended on request.', turnCostUsd: 0 },
      });
      // An answer that comes now is not used any more.
      const answers = questions.map(({ id }) => ({ id, result: allow() }));
      expect(await attempt({ answers })).toMatchObject({ ...INTERRUPTED, outcome: { recovered: true } });
      expect(stage.model.conversation).toHaveLength(1);
      expect(await attempt({ turn: NEXT })).toMatchObject({ state: 'ended', outcome: { text: 'next' } });
      expect(effects).toEqual([]);
      expect(resultsOf(stage)).toEqual([expect.stringContaining('interrupted before somebody decided')]);
    });
  },

  'is interrupted from the start: ends a turn that an earlier attempt was cut off in': async (cli) => {
    await onStage(cli, { script: [CALL, text('next')] }, async (stage) => {
      const begun = createDeferred<void>();
      const { options, effects } = createShop(stage, {
        onEffect: () => (begun.resolve(), new Promise(() => {})),
      });
      const { ledger, readAll } = createReadLedger();
      const attempt = attemptOn({ ledger, agent: options });
      const controller = new AbortController();
      const first = attempt({ signal: controller.signal });
      await begun.promise;
      await waitUntil(async () => JSON.stringify(await readAll()).includes('"tool_use"'));
      controller.abort();
      await expect(first).rejects.toMatchObject({ name: 'AbortError' });
      const agent = (): never => {
        throw new Error('The agent is not needed');
      };
      const stop = { agent, interrupt: AbortSignal.abort() };
      expect(await attempt(stop)).toMatchObject(INTERRUPTED);
      expect(await attempt(stop)).toMatchObject({ ...INTERRUPTED, outcome: { recovered: true } });
      expect(await attempt({ turn: NEXT })).toMatchObject({ state: 'ended', outcome: { text: 'next' } });
      expect([stage.model.conversation.length, effects.length]).toEqual([2, 1]);
      expect(resultsOf(stage)).toEqual([expect.stringContaining('Its outcome is unknown')]);
    });
  },

  'is interrupted from the start: a turn that has not begun leaves nothing, and one that has ended stays':
    async (cli) => {
      await onStage(cli, { script: [text('one')] }, async (stage) => {
        const { ledger, readAll } = createReadLedger();
        const attempt = attemptOn({ ledger, agent: stage.options() });
        const stop = { interrupt: AbortSignal.abort() };
        expect(await attempt(stop)).toMatchObject(INTERRUPTED);
        expect(await readAll()).toEqual([null, []]);
        expect(await attempt()).toMatchObject({ state: 'ended', outcome: { text: 'one' } });
        expect(await attempt(stop)).toMatchObject({
          state: 'ended',
          outcome: { text: 'one', recovered: true },
        });
      });
    },

  'withdraws a pending call when it is interrupted': async (cli) => {
    await onStage(cli, { script: [toolUse('mcp__shop__order', {}), text('next')] }, async (stage) => {
      const order = tool({ name: 'order', description: 'Orders.', inputSchema: {}, run: () => pending() });
      const shop = createSdkMcpServer({ name: 'shop', tools: [order], alwaysLoad: true });
      const ledger = createMemoryLedger();
      const agent = stage.options({ mcpServers: { shop }, allowedTools: [order] });
      const attempt = attemptOn({ ledger, agent });
      const waiting = expectWaiting(await attempt());
      expect(await attempt({ interrupt: AbortSignal.abort() })).toMatchObject(INTERRUPTED);
      const calls = createCalls({ sessionStore: ledger.store(), projectKey: LEDGER_PROJECT_KEY });
      for (const { callKey } of waiting.pending)
        await expect(calls.complete(callKey, 'ordered')).rejects.toMatchObject({ code: 'CALL_ENDED' });
      expect(await attempt({ turn: NEXT })).toMatchObject({ state: 'ended', outcome: { text: 'next' } });
      expect(resultsOf(stage)).toEqual([expect.stringContaining('its result was to come later')]);
    });
  },

  'is interrupted where the model had not replied yet': async (cli) => {
    await onStage(cli, { script: [CALL], onExhausted: text('next') }, async (stage) => {
      // Killed as soon as the result of the call is saved, so that no call is open.
      const { options } = createShop(stage, {});
      const controller = new AbortController();
      const { ledger } = createReadLedger();
      const cut: Ledger = {
        ...ledger,
        store: (fence) => {
          const store = ledger.store(fence);
          return {
            ...store,
            append: async (key, entries) => {
              // Nothing that comes later is saved.
              if (controller.signal.aborted) return;
              const result = entries.findIndex((entry) => JSON.stringify(entry).includes('refunded 7'));
              await store.append(key, result < 0 ? entries : entries.slice(0, result + 1));
              if (result >= 0) controller.abort();
            },
          };
        },
      };
      const first = attemptOn({ ledger: cut, agent: options })({ signal: controller.signal });
      await expect(first).rejects.toMatchObject({ name: 'AbortError' });
      const attempt = attemptOn({ ledger, agent: options });
      expect(await attempt({ interrupt: AbortSignal.abort() })).toMatchObject(INTERRUPTED);
      expect(await attempt()).toMatchObject({ ...INTERRUPTED, outcome: { recovered: true } });
      const before = stage.model.conversation.length;
      const end = await attempt({ turn: NEXT });
      expect(end).toMatchObject({ state: 'ended', outcome: { ok: true } });
      expect(stage.model.conversation.length).toBe(before + 1);
      expect(JSON.stringify(stage.lastRequest().body.messages)).toContain('[Request interrupted by user]');
    });
  },

  'loses the conversation to an attempt elsewhere, and writes nothing after that': async (cli) => {
    await onStage(cli, { script: [CALL], onExhausted: text('too late') }, async (stage) => {
      const begun = createDeferred<void>();
      const goOn = createDeferred<void>();
      const { options, effects } = createShop(stage, { onEffect: () => (begun.resolve(), goOn.promise) });
      const { ledger, readAll } = createReadLedger();
      const old = attemptOn({ ledger, agent: options })();
      await begun.promise;
      await ledger.take('chat', { owner: 'another machine' });
      const before = await readAll();
      goOn.resolve();
      expect(await old).toEqual({ state: 'lost' });
      expect([await readAll(), effects.length]).toEqual([before, 1]);
    });
  },
};

export const refusedCases: CaseSet = {
  'says which CLI an attempt needs': async (cli) => {
    await onStage(cli, { script: [] }, async (stage) => {
      const attempt = attemptOn({ ledger: createMemoryLedger(), agent: stage.options() });
      await expect(attempt()).rejects.toMatchObject({ code: 'UNSUPPORTED_OPTION', versionNeeded: '2.1.97' });
    });
  },
};
