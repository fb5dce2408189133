// How a worker works on turns: new ones, warm ones, those that others left, and those that fail.
import { describe, expect, it, vi } from 'vitest';
import type { Journal } from '../../src/journal/journal.js';
import { decideBudget } from '../../src/limits/budgets.js';
import type { Agent } from '../../src/work/host/agents.js';
import type { HostParts } from '../../src/work/host/host-parts.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { gate } from '@inboard/testing/script/gate.js';
import { apiError, held, text } from '@inboard/testing/script/reply.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { told, WorkerScene } from './worker-scene.js';

describe('a turn', () => {
  it('is answered, with its events in order and the result last', async () => {
    await using scene = new WorkerScene([[text('Hello.')]]);
    const worker = await scene.work();
    const { outcome, attempt } = await scene.ended(await scene.send('Hi'));
    expect(outcome).toMatchObject({ ok: true, kind: 'ok', text: 'Hello.' });
    expect(attempt).toBe(1);
    const events = await scene.journal.events('chat');
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    const kinds = events.map((event) =>
      event.type === 'turn'
        ? event.state
        : event.type === 'message'
          ? (event.message as { type: string }).type
          : event.type,
    );
    expect(kinds.slice(0, 2)).toEqual(['queued', 'running']);
    expect(kinds.slice(-2)).toEqual(['result', 'ended']);
    await waitUntil(() => told(worker, 'released').length === 1);
    expect(worker.worker.stats()).toMatchObject({ running: 0, warm: 0, turns: 1, leases: 1 });
  });

  it.each([true, false])('tells of a misspelt option of its agent, heard: %s', async (isHeard) => {
    const misspelt = `systmPrompt${isHeard}`;
    const warnings: string[] = [];
    const note = ({ message }: Error): unknown => warnings.push(message);
    process.on('warning', note);
    try {
      await using scene = new WorkerScene([[text('Hello.')]], { [misspelt]: 'Be kind.' } as QueryOptions);
      const worker = await scene.work(isHeard ? {} : { onEvent: undefined });
      await scene.ended(await scene.send('Hi'));
      const said = isHeard ? told(worker, 'trouble').map(({ error }) => (error as Error).message) : warnings;
      await waitUntil(() => said.some((message) => message.includes(misspelt)));
      expect(warnings.some((message) => message.includes(misspelt))).toBe(!isHeard);
    } finally {
      process.off('warning', note);
    }
  });

  it('goes to the same CLI while the conversation is warm', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    const worker = await scene.work({ keepWarmMs: 60_000 });
    await scene.ended(await scene.send('1'));
    await waitUntil(() => worker.worker.stats().warm === 1);
    // Not woken: a hint of the journal is enough.
    const { turn } = await scene.journal.enqueue({ key: 'chat', id: 'second', content: '2' });
    expect((await scene.ended(turn.id)).outcome?.text).toBe('Two.');
    expect(scene.opened).toHaveLength(1);
    expect(told(worker, 'leased')).toHaveLength(1);
    await waitUntil(() => worker.worker.stats().warm === 1);
    await worker.worker.drain();
    expect((await scene.journal.stats()).leases).toBe(0);
  });

  // Neither a sweep nor a renewal helps within the time of a test.
  const NO_HELP = { sweepMs: 600_000, leaseMs: 600_000 };

  it('that comes just when a worker finds nothing more to do is not left lying', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    let calls = 0;
    const next: Journal['next'] = async (fence) => {
      const turn = await scene.journal.next(fence);
      calls += 1;
      if (calls === 2) await scene.journal.enqueue({ key: 'chat', id: 'second', content: '2' });
      return turn;
    };
    // Of a journal that ends turns without a look at the next.
    const journal: Journal = { ...scene.journal, next, finishAndNext: undefined };
    await scene.work({ ...NO_HELP, keepWarmMs: 600_000 }, { journal });
    await scene.ended(await scene.send('1'));
    expect((await scene.ended('second')).outcome?.text).toBe('Two.');
  });

  it('that comes just when the end of the one before found nothing behind it is not left lying', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    let calls = 0;
    const finishAndNext: Journal['finishAndNext'] = async (...given) => {
      const finished = await scene.journal.finishAndNext?.(...given);
      calls += 1;
      if (calls === 1) await scene.journal.enqueue({ key: 'chat', id: 'second', content: '2' });
      return finished ?? { ended: false };
    };
    const journal: Journal = { ...scene.journal, finishAndNext };
    await scene.work({ ...NO_HELP, keepWarmMs: 600_000 }, { journal });
    await scene.ended(await scene.send('1'));
    expect((await scene.ended('second')).outcome?.text).toBe('Two.');
  });

  it('is begun with the end of the one before, and given back where the worker drains meanwhile', async () => {
    await using scene = new WorkerScene([[text('One.'), text('Two.')]]);
    let asked = 0;
    const ending: { drain?: () => Promise<void> } = {};
    let drained: Promise<void> | undefined;
    const journal: Journal = {
      ...scene.journal,
      next: (fence) => {
        asked += 1;
        return scene.journal.next(fence);
      },
      finishAndNext: async (...given) => {
        const finished = await scene.journal.finishAndNext?.(...given);
        drained ??= ending.drain?.();
        return finished ?? { ended: false };
      },
    };
    const [first, second] = ['first', 'second'] as const;
    for (const id of [first, second])
      await scene.journal.enqueue({ key: 'chat', id, content: id, start: { agent: 'helper', data: null } });
    const { worker } = await scene.work({ ...NO_HELP, drainMs: 0 }, { journal });
    ending.drain = () => worker.close();
    await scene.dispatcher.wake('chat');
    await scene.ended(first);
    await waitUntil(() => drained !== undefined);
    await drained;
    expect(asked).toBe(1);
    // Handed over as it was begun: that is not a try.
    expect(await scene.journal.turn('chat', second)).toMatchObject({
      state: 'running',
      attempt: 1,
      tries: 0,
    });
    expect(await scene.journal.due(10)).toEqual([{ key: 'chat', recovered: true }]);
  });

  it('that comes while a warm conversation is given back is taken up by the same worker', async () => {
    await using scene = new WorkerScene([[text('Hello.')]]);
    let calls = 0;
    const release: Journal['release'] = async (...given) => {
      calls += 1;
      if (calls === 1) await scene.journal.enqueue({ key: 'chat', id: 'second', content: '2' });
      return await scene.journal.release(...given);
    };
    const worker = await scene.work(
      { ...NO_HELP, keepWarmMs: 10 },
      { journal: { ...scene.journal, release } },
    );
    await scene.ended(await scene.send('1'));
    await scene.ended('second');
    expect(told(worker, 'leased')).toHaveLength(2);
  });

  it('keeps no more conversations warm than it works on at a time, the last ones', async () => {
    await using scene = new WorkerScene([[text('Hello.')]]);
    const worker = await scene.work({ keepWarmMs: 60_000, concurrency: 1 });
    for (const key of ['a', 'b', 'c']) await scene.ended(await scene.send('Hi', '1', key), key);
    await waitUntil(() => told(worker, 'released').length === 2);
    expect(told(worker, 'released').map(({ key }) => key)).toEqual(['a', 'b']);
    expect(worker.worker.stats().warm).toBe(1);
  });

  it('is found finished when its worker died before it could say so', async () => {
    await using scene = new WorkerScene([[]]);
    const id = await scene.send('Hi');
    const message = {
      role: 'assistant',
      id: 'm',
      content: [{ type: 'text', text: 'Found.' }],
      stop_reason: 'end_turn',
    };
    await scene.leaveBehind(id, [{ type: 'assistant', uuid: 'a', message }]);
    const worker = await scene.work();
    const { outcome } = await scene.ended(id);
    expect(outcome).toMatchObject({ ok: true, text: 'Found.', recovered: true });
    expect(told(worker, 'turn-started')).toMatchObject([{ how: 'found', attempt: 2 }]);
    expect(scene.opened).toEqual([]);
  });

  it('is continued when it was cut off, and its message is not sent again', async () => {
    await using scene = new WorkerScene([[({ prompt }) => text(`Answered: ${prompt}`)]]);
    const id = await scene.send('Hi');
    await scene.leaveBehind(id, []);
    const worker = await scene.work();
    const { outcome } = await scene.ended(id);
    expect(told(worker, 'turn-started')).toMatchObject([{ how: 'continued', attempt: 2 }]);
    expect(outcome?.text).toContain('Continue where you left off.');
    expect(valueOf(scene.opened[0], '--resume')).toBe((await scene.journal.conversation('chat'))?.sessionId);
  });

  it('ends without a CLI when somebody wants that before it begins', async () => {
    await using scene = new WorkerScene([[]]);
    const id = await scene.send('Hi');
    await scene.leaveBehind(id, []);
    await scene.journal.interrupt('chat');
    await scene.work();
    expect((await scene.ended(id)).outcome).toMatchObject({ ok: false, kind: 'interrupted' });
    expect(scene.opened).toEqual([]);
  });

  it('is interrupted on request while it runs, and the next one begins', async () => {
    const closed = gate();
    await using scene = new WorkerScene([[held(text('Never.'), closed)], [text('Next.')]]);
    await scene.work();
    const id = await scene.send('Hi');
    await closed.reached;
    await scene.journal.interrupt('chat');
    expect((await scene.ended(id)).outcome).toMatchObject({ ok: false, kind: 'interrupted' });
    expect((await scene.ended(await scene.send('Again'))).state).toBe('ended');
  });

  it.each(['interrupt', 'closeConversation'] as const)(
    'ends with %s while its agent is asked and never answers, and frees its place',
    async (end) => {
      const asked: AbortSignal[] = [];
      const never: Agent = ({ signal }) => {
        asked.push(signal);
        return new Promise(() => {});
      };
      await using scene = new WorkerScene([[text('Hello.')]], {}, { never });
      const worker = await scene.work({ concurrency: 1 });
      const start = { agent: 'never', data: null };
      await scene.journal.enqueue({ key: 'stuck', id: '1', content: 'Hi', start });
      await scene.dispatcher.wake('stuck');
      await waitUntil(() => asked.length === 1);
      const behind = await scene.send('Hi');
      await scene.journal[end]('stuck');
      expect((await scene.ended('1', 'stuck')).outcome).toMatchObject({ ok: false, kind: 'interrupted' });
      expect((await scene.ended(behind)).outcome?.text).toBe('Hello.');
      expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
      expect(told(worker, 'trouble').filter(({ key }) => key === 'stuck')).toEqual([]);
    },
  );

  it('does not abort the signal of an agent that has answered', async () => {
    const asked: AbortSignal[] = [];
    const agent: Agent = ({ signal }) => {
      asked.push(signal);
      return {};
    };
    await using scene = new WorkerScene([[text('Hello.')]], agent);
    const { worker } = await scene.work();
    await scene.ended(await scene.send('Hi'));
    await worker.close();
    expect(asked.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('is refused by a budget without a CLI', async () => {
    await using scene = new WorkerScene([[]]);
    const outcome = { ok: false, kind: 'refused', text: 'Too dear.', turnCostUsd: 0 };
    await scene.work({}, { admit: async () => ({ admitted: false, outcome }) });
    expect((await scene.ended(await scene.send('Hi'))).outcome).toEqual(outcome);
    expect(scene.opened).toEqual([]);
  });

  it('passes its budget to the CLI, and starts another CLI when the next may cost less', async () => {
    await using scene = new WorkerScene([[text('Hello.')]], { maxBudgetUsd: 3 });
    const budgets = [5, 2];
    await scene.work(
      { keepWarmMs: 60_000 },
      { admit: async () => ({ admitted: true, maxBudgetUsd: budgets.shift() }) },
    );
    await scene.ended(await scene.send('1'));
    await scene.ended(await scene.send('2'));
    expect(scene.opened.map((args) => valueOf(args, '--max-budget-usd'))).toEqual(['3', '2']);
  });
});

describe('a turn that fails', () => {
  it('is tried again, and ends with the named error of its agent', async () => {
    await using scene = new WorkerScene([[]], () => {
      throw new Error('The agent is ill');
    });
    const worker = await scene.work({ maxAttempts: 2 });
    const { outcome, tries } = await scene.ended(await scene.send('Hi'));
    expect(outcome).toMatchObject({
      ok: false,
      kind: 'failed',
      error: { code: 'TURN_FAILED', message: 'The agent is ill' },
    });
    expect(tries).toBe(2);
    expect(told(worker, 'trouble').map(({ where }) => where)).toEqual(['agent', 'agent']);
  });

  it('asks a function for budgets that throws once for each attempt, and ends with BUDGET_FAILED', async () => {
    await using scene = new WorkerScene([[]]);
    const tenant = vi.fn((): number => {
      throw new Error('The price table cannot be read');
    });
    const { journal } = scene;
    const admit: HostParts['admit'] = (turn, conversation) =>
      decideBudget({ journal, budgets: { tenant } }, turn, conversation);
    const worker = await scene.work({ maxAttempts: 2 }, { admit });
    const start = { agent: 'helper', data: null, tenant: 'acme' };
    await journal.enqueue({ key: 'chat', id: '1', content: 'Hi', start });
    await scene.dispatcher.wake('chat');
    const { outcome, tries } = await scene.ended('1');
    const message =
      'The function "budgets.tenant" failed for the tenant "acme": The price table cannot be read';
    expect(outcome).toMatchObject({ ok: false, kind: 'failed', error: { code: 'BUDGET_FAILED', message } });
    expect([tries, tenant.mock.calls.length]).toEqual([2, 2]);
    expect(told(worker, 'trouble').map(({ where }) => where)).toEqual(['agent', 'agent']);
  });

  it('names the agents there are when its own is unknown', async () => {
    await using scene = new WorkerScene([[]]);
    await scene.work({ maxAttempts: 1 });
    await scene.journal.enqueue({ key: 'x', id: '1', content: 'Hi', start: { agent: 'helpr', data: null } });
    await scene.dispatcher.wake('x');
    const { outcome } = await scene.ended('1', 'x');
    expect(outcome?.error).toMatchObject({ code: 'AGENT_UNKNOWN' });
    expect(outcome?.text).toContain('Did you mean "helper"?');
  });

  it('ends at once when the agent gives what the cluster decides', async () => {
    await using scene = new WorkerScene([[]], { resume: 'x', sessionId: 'y' });
    await scene.work();
    const { outcome, tries } = await scene.ended(await scene.send('Hi'));
    expect(outcome?.error).toMatchObject({ code: 'INVALID_OPTIONS' });
    expect(outcome?.text).toContain('"resume", "sessionId"');
    expect(tries).toBe(1);
  });

  it('does not stop those behind it', async () => {
    let calls = 0;
    await using scene = new WorkerScene([[text('Hello.')]], () => {
      calls += 1;
      if (calls === 1) throw new Error('Once');
      return {};
    });
    await scene.work({ maxAttempts: 1 });
    const first = await scene.send('1');
    const second = await scene.send('2');
    expect((await scene.ended(first)).outcome?.ok).toBe(false);
    expect((await scene.ended(second)).outcome?.ok).toBe(true);
  });

  it('ends when one worker after the other died with it', async () => {
    await using scene = new WorkerScene([[]]);
    const id = await scene.send('Hi');
    for (let death = 0; death < 2; death += 1) {
      await scene.leaveBehind(id, []);
      await waitUntil(async () => (await scene.journal.due(1)).length === 1);
    }
    await scene.work({ maxAttempts: 2 });
    const { outcome } = await scene.ended(id);
    expect(outcome?.error?.code).toBe('TURN_TRIED_TOO_OFTEN');
  });

  it('ends also when workers die of reading its transcript', async () => {
    await using scene = new WorkerScene([[]]);
    const id = await scene.send('Hi');
    for (let death = 0; death < 2; death += 1) {
      await scene.leaveBehind(id, []);
      await waitUntil(async () => (await scene.journal.due(1)).length === 1);
    }
    const load = vi.fn(async () => null);
    const store: Journal['store'] = (fence) => ({ ...scene.journal.store(fence), load });
    await scene.work({ maxAttempts: 1 }, { journal: { ...scene.journal, store } });
    expect((await scene.ended(id)).outcome?.error?.code).toBe('TURN_TRIED_TOO_OFTEN');
    expect(load).not.toHaveBeenCalled();
  });

  it('puts off new turns of its tenant when the API refuses more', async () => {
    await using scene = new WorkerScene([[apiError(429)]]);
    const worker = await scene.work();
    const start = { agent: 'helper', data: null, tenant: 'acme' };
    await scene.journal.enqueue({ key: 'chat', id: '1', content: 'Hi', start });
    await scene.dispatcher.wake('chat');
    expect((await scene.ended('1')).outcome).toMatchObject({
      kind: 'api_error',
      error: { code: 'API_ERROR_429' },
    });
    expect(told(worker, 'paused')).toMatchObject([{ tenant: 'acme' }]);
    expect(await scene.journal.pauses()).toMatchObject([{ tenant: 'acme' }]);
  });
});

describe('a listener of a worker', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('odd');
      },
    ],
    ['rejects', () => Promise.reject(new Error('odd'))],
  ])('that %s disturbs nothing', async (_, onEvent: () => unknown) => {
    await using scene = new WorkerScene([[text('Hello.')]]);
    await scene.work({ onEvent });
    expect((await scene.ended(await scene.send('Hi'))).outcome?.ok).toBe(true);
  });
});

function valueOf(args: readonly string[] | undefined, flag: string): string | undefined {
  return args?.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
