// Attempts as a whole, on the fake CLI: how they end, and what the next one finds. What needs the real CLI is in test/e2e/cases/durable.ts.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { allow, createSdkMcpServer, LaunchError, tool } from '../../../inboard/src/index.js';
import { createFakeCli, text, toolUse } from '../../../inboard/src/testing.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { deriveUuid } from '@inboard/core/util/derive-uuid.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import type { TransportFactory } from '../../../core/src/wire/transport/transport.js';
import type { AttemptTurnInput } from '../../src/attempt/attempt-input.js';
import type { AttemptEnd } from '../../src/attempt/attempt-end.js';
import { attemptTurn } from '../../src/attempt/attempt-turn.js';
import { LEDGER_PROJECT_KEY } from '../../src/attempt/held-store.js';
import type { LedgerFence, TakenConversation } from '../../src/ledger/ledger.js';
import { createMemoryLedger } from '../../src/ledger/memory-ledger.js';

type FakeOptions = Parameters<typeof createFakeCli>[1];
type Script = Parameters<typeof createFakeCli>[0];
type Agent = Exclude<AttemptTurnInput['agent'], (...given: never[]) => unknown>;

const USAGE = { get_usage: { session: { total_cost_usd: 0.25, model_usage: {} } } };
const CALL = toolUse('mcp__shop__pay', { order: 7 });

/** One conversation. Each CLI that is started plays the script from its beginning. */
function scene(script: Script, { fakeOptions = {}, ...own }: Agent & { fakeOptions?: FakeOptions } = {}) {
  const ledger = createMemoryLedger();
  const paid: unknown[] = [];
  const opened: string[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    run: ({ order }) => {
      paid.push(order);
      return `paid ${order}`;
    },
  });
  const transport: TransportFactory = (request) => {
    const fake = createFakeCli(script, { allowEarlyEnd: true, ...fakeOptions });
    opened.push(request.args.find((word) => /^--(?:session-id|resume)/.test(word))?.split('=')[0] ?? '');
    onTestFinished(() => fake.close({ verify: false }));
    return fake.transport(request);
  };
  const agent: Agent = {
    mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
    onWarning: () => {},
    transport,
    ...own,
  };
  const attempt = (more: Partial<AttemptTurnInput> = {}): Promise<AttemptEnd> =>
    attemptTurn({
      ledger,
      conversation: 'chat',
      turn: { id: '1', content: 'Pay' },
      agent,
      suspendAfterMs: 5,
      ...more,
    });
  /** Takes the conversation as another process does. */
  const take = async (): Promise<TakenConversation> =>
    (await ledger.take('chat', { owner: 'another process' })) as TakenConversation;
  /** Leaves a transcript behind, as an attempt of another process; the uuid of the turn's message is given. */
  const leaveBehind = async (create: (uuid: string) => SessionStoreEntry[]): Promise<LedgerFence> => {
    const { fence, sessionId } = await take();
    const entries = create(deriveUuid(`turn ${sessionId} 1`));
    await ledger.store(fence).append({ projectKey: LEDGER_PROJECT_KEY, sessionId }, entries);
    return fence;
  };
  return { ledger, agent, transport, attempt, paid, opened, take, leaveBehind };
}

const prompt = (uuid: string): SessionStoreEntry => ({
  type: 'user',
  uuid,
  message: { role: 'user', content: 'Pay' },
});
const answer = (said: string): SessionStoreEntry => ({
  type: 'assistant',
  uuid: `answer ${said}`,
  message: { role: 'assistant', id: said, stop_reason: 'end_turn', content: [{ type: 'text', text: said }] },
});

describe('an attempt', () => {
  it('ends with a question, and the next one gives the call its answer', async () => {
    const { attempt, paid } = scene([CALL, ({ answer: { text: said } }) => text(said)], {
      fakeOptions: { controls: USAGE },
    });
    const first = await attempt();
    if (first.state !== 'waiting') throw new Error(first.state);
    expect(first).toMatchObject({ pending: [], turnCostUsd: 0.25 });
    expect(first.questions).toMatchObject([{ toolName: 'mcp__shop__pay', input: { order: 7 } }]);
    const answers = first.questions.map(({ id }) => ({ id, result: allow(), by: 'ann' }));
    expect(await attempt({ answers })).toMatchObject({
      state: 'ended',
      outcome: { ok: true, text: 'paid 7' },
    });
    expect(paid).toEqual([7]);
  });

  it('begins a conversation, or resumes one that has other turns', async () => {
    const { attempt, opened, leaveBehind } = scene([text('Done.')]);
    const heard: string[] = [];
    expect(await attempt({ onMessage: ({ type }) => void heard.push(type) })).toMatchObject({
      state: 'ended',
      outcome: { ok: true, kind: 'ok', text: 'Done.' },
    });
    expect(heard).toContain('assistant');
    await leaveBehind(() => [prompt('another'), answer('one')]);
    expect(await attempt()).toMatchObject({ state: 'ended', outcome: { text: 'Done.' } });
    expect(opened).toEqual(['--session-id', '--resume']);
  });

  it('finds an answer that an earlier one had, and starts nothing', async () => {
    const { attempt, opened, leaveBehind } = scene([text('Done.')]);
    await leaveBehind((uuid) => [prompt(uuid), answer('Paid.')]);
    expect(await attempt()).toEqual({
      state: 'ended',
      outcome: { ok: true, kind: 'ok', text: 'Paid.', turnCostUsd: 0, recovered: true },
    });
    expect(opened).toEqual([]);
  });

  it('goes on with a turn that was cut off', async () => {
    const { attempt, opened, leaveBehind } = scene([text('Done.')]);
    await leaveBehind((uuid) => [prompt(uuid)]);
    expect(await attempt()).toMatchObject({ state: 'ended', outcome: { ok: true, text: 'Done.' } });
    expect(opened).toEqual(['--resume']);
  });

  it.each([
    ['removes', 'begins', [], false],
    ['keeps', 'resumes', [prompt('another'), answer('one')], true],
  ] as const)("%s the CLI's own copy of a conversation that it %s", async (_, _how, entries, isKept) => {
    const home = mkdtempSync(join(tmpdir(), 'inboard-attempt-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const { attempt, take, leaveBehind } = scene([text('Done.')], { env: { CLAUDE_CONFIG_DIR: home } });
    await leaveBehind(() => [...entries]);
    const { sessionId } = await take();
    const folder = join(home, 'projects', '-shop');
    const copy = join(folder, `${sessionId}.jsonl`);
    const onMessage = (): void => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(copy, `${JSON.stringify({ ...prompt('one'), sessionId })}\n`);
    };
    expect(await attempt({ onMessage })).toMatchObject({ state: 'ended' });
    expect(existsSync(copy)).toBe(isKept);
  });

  it('asks an agent that is a function, and tells it about the turn', async () => {
    const { attempt, agent, take } = scene([text('Done.')]);
    const { fence } = await take();
    const asked: unknown[] = [];
    const end = await attempt({
      agent: (context) => {
        asked.push(context);
        return agent;
      },
    });
    expect(end.state).toBe('ended');
    expect(asked).toEqual([
      {
        conversation: 'chat',
        turn: '1',
        epoch: fence.epoch + 1,
        approvals: expect.anything() as unknown,
        signal: expect.any(AbortSignal) as unknown,
      },
    ]);
  });

  it('is busy while another CLI of this machine has the session', async () => {
    const { attempt } = scene([], {
      transport: () => Promise.reject(new LaunchError('SESSION_RUNNING', 'It runs elsewhere')),
    });
    const end = await attempt();
    if (end.state !== 'busy') throw new Error(end.state);
    expect(end.until).toBeGreaterThan(Date.now());
  });

  it('fails with the error of its ledger, and asks its CLI for nothing more', async () => {
    const { attempt, ledger, paid } = scene([CALL, text('unheard')], { allowedTools: ['mcp__shop__pay'] });
    const broken = new TypeError('the ledger has a fault');
    const store: typeof ledger.store = (fence) => {
      const inner = ledger.store(fence);
      return { ...inner, calls: (key) => ({ ...inner.calls(key), add: () => Promise.reject(broken) }) };
    };
    await expect(attempt({ ledger: { ...ledger, store } })).rejects.toBe(broken);
    expect(paid).toEqual([]);
  });
});

describe('an attempt that is left', () => {
  it('rejects when its signal aborts, with the reason, before the agent is asked and while it works', async () => {
    const { attempt, agent } = scene([]);
    const reason = new Error('shutting down');
    const early = attempt({ signal: AbortSignal.abort(reason) });
    await expect(early).rejects.toMatchObject({ code: 'ABORTED', cause: reason });
    const controller = new AbortController();
    const late = attempt({
      signal: controller.signal,
      agent: async ({ signal }) => {
        controller.abort(reason);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return agent;
      },
    });
    await expect(late).rejects.toMatchObject({ code: 'ABORTED', cause: reason });
  });

  it('ends as interrupted when a person stops the turn, whether its CLI has begun or not', async () => {
    const interrupted = { state: 'ended', outcome: { ok: false, kind: 'interrupted' } };
    const { attempt, agent, opened } = scene([CALL, text('unheard')]);
    const early = new AbortController();
    expect(
      await attempt({
        interrupt: early.signal,
        agent: () => {
          early.abort();
          return agent;
        },
      }),
    ).toMatchObject(interrupted);
    expect(opened).toEqual([]);
    const late = new AbortController();
    const end = await attempt({
      interrupt: late.signal,
      suspendAfterMs: 60_000,
      onMessage: ({ type }) => {
        if (type === 'assistant') late.abort();
      },
    });
    expect(end).toMatchObject(interrupted);
  });

  it('costs what its CLI had spent when a person stops the turn and the CLI does not', async () => {
    const { attempt } = scene([CALL, text('unheard')], {
      fakeOptions: {
        controls: {
          ...USAGE,
          interrupt: () => {
            throw new Error('not now');
          },
        },
      },
    });
    const stop = new AbortController();
    const end = await attempt({
      interrupt: stop.signal,
      suspendAfterMs: 60_000,
      onMessage: ({ type }) => {
        if (type === 'assistant') stop.abort();
      },
    });
    expect(end).toMatchObject({ state: 'ended', outcome: { kind: 'interrupted', turnCostUsd: 0.25 } });
  });

  it('tells the model what a person stopped before there was a CLI, and the next one finds it stopped', async () => {
    const { attempt, opened, leaveBehind } = scene([text('unheard')]);
    await leaveBehind((uuid) => [prompt(uuid)]);
    const stop = AbortSignal.abort();
    expect(await attempt({ interrupt: stop })).toMatchObject({ outcome: { kind: 'interrupted' } });
    expect(await attempt()).toEqual({
      state: 'ended',
      outcome: {
        ok: false,
        kind: 'interrupted',
        text: 'The turn was ended on request.',
        turnCostUsd: 0,
        recovered: true,
      },
    });
    expect(opened).toEqual([]);
  });

  it('is lost when another process takes the conversation while its CLI ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { attempt, agent, take, transport } = scene([text('Done.')]);
    const slow: TransportFactory = async (request) => {
      const own = await transport(request);
      const open = own.open.bind(own);
      own.open = (receiver) =>
        open({
          line: (line) => receiver.line(line),
          fault: (error) => receiver.fault(error),
          closed: (end) => {
            void (async () => {
              await take();
              await vi.advanceTimersByTimeAsync(5000);
              receiver.closed(end);
            })();
          },
        });
      return own;
    };
    expect(await attempt({ agent: { ...agent, transport: slow } })).toEqual({ state: 'lost' });
  });

  it('is lost when a newer one of this process begins, which waits until it is over', async () => {
    const { attempt, agent } = scene([CALL, ({ answer: { text: said } }) => text(said)], {
      allowedTools: ['mcp__shop__pay'],
    });
    const asked = createDeferred<void>();
    let isAborted = false;
    const older = attempt({
      agent: async ({ signal }) => {
        asked.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isAborted = true;
        return agent;
      },
    });
    await asked.promise;
    const newer = await attempt({
      agent: () => {
        expect(isAborted).toBe(true);
        return agent;
      },
    });
    expect(await older).toEqual({ state: 'lost' });
    expect(newer).toMatchObject({ state: 'ended', outcome: { text: 'paid 7' } });
  });

  it('is lost when another process has taken the conversation, as it finds out by looking', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { attempt, agent, take, ledger } = scene([CALL, text('unheard')]);
    const holds = vi.fn((fence: LedgerFence) => ledger.holds(fence));
    const asked = createDeferred<void>();
    const end = attempt({
      ledger: { ...ledger, holds },
      agent: async ({ signal }) => {
        asked.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return agent;
      },
    });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(holds).toHaveBeenCalledTimes(2);
    await take();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await end).toEqual({ state: 'lost' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
