// A turn that waits lets its CLI go, and goes on with the same turn: whatever it waits for, and whatever happens meanwhile.
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  allow,
  answerPermission,
  createApprovals,
  createSdkMcpServer,
  tool,
} from '@inboard/inboard/index.js';
import '../../../src/verbs/conversation/completion/complete-calls.js';
import type { InboardWarning } from '../../../src/options/check/warning.js';
import { createDeferred } from '../../../src/util/deferred.js';
import {
  createConversation,
  presentConversation,
  type ConversationInput,
  type Session,
} from '../../../src/verbs/conversation/open-session.js';
import type { SessionEvent } from '../../../src/verbs/conversation/conversation-event.js';
import { createGroup } from '../../../src/verbs/fleet/session-group.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { WaitingCast, type CastReply } from './waiting-cast.js';

const PAY = 'mcp__shop__pay';
const pay = (order: string, more: object = {}) => ({ tool: PAY, input: { order }, ...more });

interface Scene {
  session: Session;
  cast: WaitingCast;
  events: SessionEvent[];
  warnings: InboardWarning[];
  ran: string[];
  aborted: unknown[];
  /** Resolves when the turn waits and its CLI is gone. */
  waits: () => Promise<void>;
  question: (index?: number) => string;
}

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function open(replies: CastReply[], input: Partial<ConversationInput> = {}): Scene {
  const cast = new WaitingCast(...replies);
  const { ran, aborted, options } = createShop();
  const warnings: InboardWarning[] = [];
  const session = presentConversation(
    createConversation({
      suspendAfterMs: 1,
      launch: cast.launch,
      ...input,
      options: {
        ...options,
        sessionStore: cast.store,
        onWarning: (warning) => warnings.push(warning),
        ...input.options,
      },
    }),
  );
  sessions.push(session);
  const events: SessionEvent[] = [];
  void (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  const waits = (): Promise<void> => waitUntil(() => session.state === 'waiting' && cast.alive.size === 0);
  const question = (index = 0): string => String(session.pendingPermissions()[index]?.requestId);
  return { session, cast, events, warnings, ran, aborted, waits, question };
}

function createShop() {
  const ran: string[] = [];
  const aborted: unknown[] = [];
  const sell = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => {
    ran.push(order);
    return `paid ${order}`;
  });
  const canUseTool = async (_: string, __: object, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener('abort', () => aborted.push(signal.reason));
    return null;
  };
  const shop = createSdkMcpServer({ name: 'shop', tools: [sell] });
  return { ran, aborted, options: { canUseTool, mcpServers: { shop } } };
}

const keptWarnings = (warnings: readonly InboardWarning[]): InboardWarning[] =>
  warnings.filter(({ code }) => code === 'CLI_KEPT_WAITING');
const typesOf = (events: readonly SessionEvent[]): string[] => events.map(({ type }) => type);

describe('a turn that waits for a person', () => {
  it('has no CLI, and goes on as the same turn when it is answered', async () => {
    const { session, cast, events, ran, aborted, waits, question } = open([[pay('7')], 'Paid.']);
    const turn = session.send('Pay.');
    const messages: unknown[] = [];
    const reading = (async () => {
      for await (const message of turn) messages.push(message);
    })();
    await waitUntil(() => session.pendingPermissions().length === 1);
    const asked = session.pendingPermissions();
    await waits();
    expect(session.pendingPermissions()).toEqual(asked);
    expect([session.pid, turn.state, cast.starts]).toEqual([undefined, 'running', 1]);
    expect(answerPermission(question(), allow())).toBe(true);
    expect(answerPermission(String(asked[0]?.requestId), allow())).toBe(false);
    expect(await turn.text()).toBe('Paid.');
    await reading;
    const types = messages.map((message) => (message as { type: string }).type);
    expect(types.filter((type) => type !== 'command_lifecycle')).toEqual([
      'system',
      'assistant',
      'user',
      'system',
      'assistant',
      'result',
    ]);
    expect([ran, aborted, cast.starts]).toEqual([['7'], [], 2]);
    expect(JSON.stringify([...cast.told.values()])).toContain('paid 7');
    expect(typesOf(events)).toEqual(['ready', 'suspended', 'completed', 'ready']);
    expect(events[1]).toEqual({ type: 'suspended', waitsFor: ['person'] });
  });

  it('is asked by its callback only once, whose signal does not abort', async () => {
    const answer = createDeferred<ReturnType<typeof allow>>();
    const signals: AbortSignal[] = [];
    const { session, ran, waits } = open([[pay('7')], 'Paid.'], {
      options: {
        canUseTool: async (_, __, { signal }) => {
          signals.push(signal);
          return await answer.promise;
        },
      },
    });
    const turn = session.send('Pay.');
    await waits();
    expect(session.pendingPermissions()).toHaveLength(1);
    answer.resolve(allow());
    expect(await turn.text()).toBe('Paid.');
    expect([ran, signals.length, signals[0]?.aborted]).toEqual([['7'], 1, false]);
  });

  it('starts one CLI for two questions of one message', async () => {
    const { session, cast, ran, waits, question } = open([[pay('7'), pay('8')], 'Paid.'], {
      suspendAfterMs: 30,
    });
    const turn = session.send('Pay.');
    await waits();
    const [first, second] = [question(0), question(1)];
    answerPermission(second, allow());
    await waitUntil(() => ran.length === 1);
    expect([session.state, cast.starts]).toEqual(['waiting', 1]);
    expect(session.pendingPermissions().map(({ requestId }) => requestId)).toEqual([first]);
    answerPermission(first, { behavior: 'deny', message: 'No.' });
    expect(await turn.text()).toBe('Paid.');
    expect([ran, cast.starts]).toEqual([['8'], 2]);
    expect(JSON.stringify([...cast.told])).toMatch(/No\..*paid 8/);
  });

  it('can be answered while the CLI that was let go is still ending', async () => {
    const { session, ran, question } = open([[pay('7')], 'Paid.']);
    const turn = session.send('Pay.');
    await waitUntil(() => session.state === 'waiting');
    expect(answerPermission(question(), { behavior: 'allow', updatedInput: { order: '9' } })).toBe(true);
    expect(await turn.text()).toBe('Paid.');
    expect(ran).toEqual(['9']);
    expect((await turn.outcome()).completedCalls).toMatchObject([{ how: 'ran', ranInput: { order: '9' } }]);
  });

  it('refuses an edited input that the tool would refuse, and stays open', async () => {
    const { session, waits, question } = open([[pay('7')], 'Paid.']);
    session
      .send('Pay.')
      .outcome()
      .catch(() => {});
    await waits();
    expect(() => answerPermission(question(), { behavior: 'allow', updatedInput: { order: 9 } })).toThrow(
      'The question stays open',
    );
    expect(session.pendingPermissions()).toHaveLength(1);
  });

  it('may wait again and again, with one start for each message of the model', async () => {
    const { session, cast, ran, waits, question } = open([[pay('7')], [pay('7')], 'Paid.']);
    const turn = session.send('Pay.');
    for (const starts of [1, 2]) {
      await waitUntil(() => cast.starts === starts);
      await waits();
      expect(session.pendingPermissions()).toMatchObject([{ attempt: 1 }]);
      answerPermission(question(), allow());
    }
    expect(await turn.text()).toBe('Paid.');
    expect([ran, cast.starts]).toEqual([['7', '7'], 3]);
  });

  it('keeps its CLI by default', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    try {
      const { session } = open([[pay('7')], 'Paid.'], { suspendAfterMs: undefined });
      session
        .send('Pay.')
        .outcome()
        .catch(() => {});
      await vi.waitFor(() => expect(session.pendingPermissions().length === 1).toBe(true));
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(session.state).toBe('ready');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('while a turn waits', () => {
  it('messages queue, and are sent after it', async () => {
    const { session, cast, waits, question } = open([[pay('7')], 'Paid.', 'Yes.']);
    const turn = session.send('Pay.');
    await waits();
    const next = session.send('There?');
    await new Promise(setImmediate);
    expect([cast.starts, cast.prompts, next.state]).toEqual([1, ['Pay.'], 'waiting']);
    answerPermission(question(), allow());
    expect([await turn.text(), await next.text()]).toEqual(['Paid.', 'Yes.']);
    expect([cast.starts, cast.prompts]).toEqual([2, ['Pay.', 'There?']]);
  });

  it.each(['at once', 'later'])('interrupt() stops it %s, and tells the truth', async (when) => {
    const { session, cast, ran, aborted, waits } = open([[pay('7')], 'Yes.']);
    const turn = session.send('Pay.');
    if (when === 'later') await waits();
    else await waitUntil(() => session.state === 'waiting');
    await session.interrupt();
    expect((await turn.outcome()).kind).toBe('interrupted');
    expect(await cast.transcript()).toContain('did not run: the turn was interrupted');
    expect([session.pendingPermissions(), session.state, cast.starts]).toEqual([[], 'suspended', 1]);
    expect(aborted).toMatchObject([{ cause: 'withdrawn' }]);
    expect(await session.send('There?').text()).toBe('Yes.');
    expect([ran, cast.starts]).toEqual([[], 2]);
  });

  it('a message that was queued is sent after an interruption', async () => {
    const { session, cast, waits } = open([[pay('7')], 'Yes.']);
    const turn = session.send('Pay.');
    await waits();
    const next = session.send('There?');
    await session.interrupt();
    expect((await turn.outcome()).kind).toBe('interrupted');
    expect([await next.text(), cast.starts]).toEqual(['Yes.', 2]);
  });

  it('the signal of its message stops it', async () => {
    const { session, waits } = open([[pay('7')], 'Yes.']);
    const abort = new AbortController();
    const turn = session.send('Pay.', { signal: abort.signal });
    await waits();
    abort.abort();
    expect((await turn.outcome()).kind).toBe('interrupted');
  });

  it.each([
    ['close', true],
    ['abandon', false],
  ] as const)('%s() ends the session, and the transcript is stopped: %s', async (end, isStopped) => {
    for (const wait of [true, false]) {
      const { session, cast, aborted, waits } = open([[pay('7')]]);
      const turn = session.send('Pay.');
      if (wait) await waits();
      else await waitUntil(() => session.state === 'waiting');
      const failing = expect(turn.outcome()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
      await session[end]();
      await failing;
      expect([session.state, cast.alive.size, cast.starts, aborted.length]).toEqual(['closed', 0, 1, 1]);
      expect((await cast.transcript()).includes('tool_result')).toBe(isStopped);
    }
  });

  it('aborting its controller ends the session', async () => {
    const abortController = new AbortController();
    const { session, aborted, waits } = open([[pay('7')]], { options: { abortController } });
    const turn = session.send('Pay.');
    await waits();
    abortController.abort();
    await expect(turn.outcome()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    expect([session.state, aborted.length]).toEqual(['closed', 1]);
  });

  it('changes start nothing, and the next CLI gets them', async () => {
    const { session, cast, waits, question } = open([[pay('7')], 'Paid.']);
    const turn = session.send('Pay.');
    await waits();
    await session.setModel('haiku');
    await session.setPermissionMode('plan');
    let answered = false;
    const status = session.mcpServerStatus().then(() => (answered = true));
    await new Promise(setImmediate);
    expect([cast.starts, answered]).toEqual([1, false]);
    answerPermission(question(), allow());
    await turn.text();
    await status;
    const asked = cast.requests.map(({ subtype }) => subtype);
    expect(asked.filter((subtype) => subtype !== 'get_usage')).toEqual([
      'set_model',
      'set_permission_mode',
      'mcp_status',
    ]);
  });
});

describe('a turn that waits in a handler', () => {
  it('lets the handler run on, and gives the model its result', async () => {
    const approvals = createApprovals();
    let runs = 0;
    const buy = tool('pay', 'Pays.', { order: 'string' }, async ({ order }, extra) => {
      runs += 1;
      const { behavior } = await approvals.ask({ title: 'Pay?', input: { order } }, extra);
      return `${behavior} ${order}, aborted: ${extra.signal.aborted}`;
    });
    const shop = createSdkMcpServer({ name: 'shop', tools: [buy] });
    const { session, cast, events, waits } = open([[pay('7', { how: 'run' })], 'Paid.'], {
      options: { mcpServers: { shop } },
    });
    const turn = session.send('Pay.');
    await waits();
    expect(events.at(-1)).toEqual({ type: 'suspended', waitsFor: ['person'] });
    const [question] = await approvals.list();
    await approvals.answer(String(question?.id), allow());
    expect(await turn.text()).toBe('Paid.');
    expect([runs, cast.starts]).toEqual([1, 2]);
    expect(JSON.stringify([...cast.told.values()])).toContain('allow 7, aborted: false');
    approvals.close();
  });

  it.each(['interrupt', 'close'] as const)(
    '%s() withdraws the question that the handler asked',
    async (how) => {
      const approvals = createApprovals();
      const buy = tool('pay', 'Pays.', { order: 'string' }, async ({ order }, extra) => {
        await approvals.ask({ title: 'Pay?', input: { order } }, extra);
        return 'paid';
      });
      const shop = createSdkMcpServer({ name: 'shop', tools: [buy] });
      const { session, waits } = open([[pay('7', { how: 'run' })], 'Paid.'], {
        options: { mcpServers: { shop } },
      });
      const outcome = session
        .send('Pay.')
        .outcome()
        .then(
          ({ kind }) => kind,
          () => 'closed',
        );
      await waits();
      expect(await approvals.list()).toHaveLength(1);
      await session[how]();
      expect(await outcome).toBe(how === 'interrupt' ? 'interrupted' : 'closed');
      expect(await approvals.list()).toEqual([]);
      approvals.close();
    },
  );

  it('keeps the CLI while a handler works', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    try {
      const done = createDeferred<string>();
      let begun = false;
      const work = tool('pay', 'Pays.', {}, async () => {
        begun = true;
        return await done.promise;
      });
      const shop = createSdkMcpServer({ name: 'shop', tools: [work] });
      const { session, cast } = open([[pay('7', { how: 'run' }), pay('8')], 'Paid.'], {
        suspendAfterMs: 60_000,
        options: { mcpServers: { shop } },
      });
      session
        .send('Pay.')
        .outcome()
        .catch(() => {});
      await vi.waitFor(() => expect(begun && session.pendingPermissions().length === 1).toBe(true));
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect([session.state, cast.starts]).toEqual(['ready', 1]);
      done.resolve('done');
      await vi.advanceTimersByTimeAsync(120_000);
      await vi.waitFor(() => expect(session.state === 'waiting').toBe(true));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a detached tool', () => {
  const createDetached = () => {
    const done = createDeferred<string>();
    const signals: AbortSignal[] = [];
    let report: (text: string) => void = () => {};
    const render = tool({
      name: 'pay',
      description: 'Renders.',
      inputSchema: { order: 'string' },
      detached: true,
      run: async (_, extra) => {
        signals.push(extra.signal);
        report = extra.progress;
        return await done.promise;
      },
    });
    const shop = createSdkMcpServer({ name: 'shop', tools: [render] });
    return { done, signals, report: (text: string) => report(text), shop };
  };

  it('lets the CLI go while it runs, and its result goes to the model', async () => {
    const { done, signals, report, shop } = createDetached();
    const progress: unknown[] = [];
    const { session, cast, events, waits } = open([[pay('7', { how: 'run' })], 'Rendered.'], {
      options: {
        mcpServers: { shop },
        onToolEvent: (event) => {
          if (event.inProcess && event.type === 'progress') progress.push(event.message);
        },
      },
    });
    const turn = session.send('Render.');
    await waits();
    expect(events.at(-1)).toEqual({ type: 'suspended', waitsFor: ['detached'] });
    report('half');
    report('more');
    expect(progress).toEqual(['half', 'more']);
    // Another process sees it in the records. Reports that follow each other closely are recorded once in a second.
    expect(await cast.facts('progress')).toMatchObject([{ progress: 1, message: 'half' }]);
    await waitUntil(async () => (await cast.facts('progress')).length === 2);
    expect((await cast.facts('progress')).at(-1)).toMatchObject({ progress: 2, message: 'more' });
    done.resolve('a film');
    expect(await turn.text()).toBe('Rendered.');
    expect([signals.length, signals[0]?.aborted, cast.starts]).toEqual([1, false, 2]);
    expect(JSON.stringify([...cast.told.values()])).toContain('a film');
  });

  it('is cancelled by an interruption', async () => {
    const { signals, shop } = createDetached();
    const { session, cast, waits } = open([[pay('7', { how: 'run' })], 'Yes.'], {
      options: { mcpServers: { shop } },
    });
    const turn = session.send('Render.');
    await waits();
    await session.interrupt();
    expect((await turn.outcome()).kind).toBe('interrupted');
    expect(signals[0]?.aborted).toBe(true);
    expect(await cast.transcript()).toContain('Its outcome is unknown');
  });
});

describe('the CLI of a turn that waits', () => {
  it('is kept where MCP servers would end with it, which is said once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    try {
      const { options } = createShop();
      const mcpServers = { ...options.mcpServers, files: { command: 'files' } };
      const { session, warnings, question } = open([[pay('7')], [pay('8')]], { options: { mcpServers } });
      session
        .send('Pay.')
        .outcome()
        .catch(() => {});
      await vi.waitFor(() => expect(session.pendingPermissions().length === 1).toBe(true));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(session.state).toBe('ready');
      answerPermission(question(), allow());
      await vi.waitFor(() => expect(session.pendingPermissions().length === 1).toBe(true));
      await vi.advanceTimersByTimeAsync(10_000);
      expect(session.state).toBe('ready');
      const kept = keptWarnings(warnings);
      expect(kept).toHaveLength(1);
      expect(kept[0]?.message).toContain('files');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is let go nevertheless with suspendWithServers', async () => {
    const { options } = createShop();
    const mcpServers = { ...options.mcpServers, files: { command: 'files' } };
    const input = { options: { mcpServers }, suspendWithServers: true };
    const { session, warnings, waits, question } = open([[pay('7')], 'Paid.'], input);
    const turn = session.send('Pay.');
    await waits();
    answerPermission(question(), allow());
    expect(await turn.text()).toBe('Paid.');
    expect(keptWarnings(warnings)).toEqual([]);
  });

  it('is kept until its transcript has the calls', async () => {
    const { session, cast, waits, question } = open([[pay('7')], 'Paid.']);
    cast.isSaving = false;
    let looks = 0;
    const load = cast.store.load.bind(cast.store);
    cast.store.load = async (key) => {
      looks += 1;
      return await load(key);
    };
    const turn = session.send('Pay.');
    await waitUntil(() => looks >= 2);
    expect(session.state).toBe('ready');
    cast.isSaving = true;
    await cast.save({ type: 'user', uuid: turn.uuid, message: { role: 'user', content: 'Pay.' } });
    const block = { type: 'tool_use', id: 'toolu_1', name: PAY, input: { order: '7' } };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [block], usage: {} };
    await cast.save({ type: 'assistant', uuid: crypto.randomUUID(), message });
    await waits();
    answerPermission(question(), allow());
    expect(await turn.text()).toBe('Paid.');
  });

  it('is kept where a question could not be recorded, which the next turn forgets', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    try {
      const { session, cast, warnings, ran, question } = open([[pay('7')], 'Paid.', [pay('8')]]);
      const calls = cast.store.calls.bind(cast.store);
      let isFull = true;
      vi.spyOn(cast.store, 'calls').mockImplementation((key) => {
        const records = calls(key);
        const add: typeof records.add = async (fact) => {
          if (isFull && fact.type === 'asked') throw new Error('No room');
          await records.add(fact);
        };
        return { ...records, add };
      });
      const turn = session.send('Pay.');
      await vi.waitFor(() => expect(session.pendingPermissions()).toHaveLength(1));
      await vi.advanceTimersByTimeAsync(10_000);
      expect([session.state, cast.starts]).toEqual(['ready', 1]);
      expect(warnings.map(({ message }) => message).join('\n')).toContain('could not be recorded');
      isFull = false;
      answerPermission(question(), allow());
      expect(await turn.text()).toBe('Paid.');
      expect(ran).toEqual(['7']);
      session
        .send('Pay again.')
        .outcome()
        .catch(() => {});
      await vi.waitFor(() => expect(session.pendingPermissions()).toHaveLength(1));
      await vi.advanceTimersByTimeAsync(10_000);
      await vi.waitFor(() => expect(session.state).toBe('waiting'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('is kept where nothing can be written to its transcript', async () => {
    const { session, warnings } = open([[pay('7')], 'Paid.'], {
      options: { sessionStore: undefined, transport: () => Promise.reject(new Error('not used')) },
    });
    session
      .send('Pay.')
      .outcome()
      .catch(() => {});
    await waitUntil(() => session.pendingPermissions().length === 1);
    await waitUntil(() => keptWarnings(warnings).length === 1);
    expect(session.state).toBe('ready');
    expect(keptWarnings(warnings)[0]?.message).toContain('there is no "sessionStore"');
  });
});

describe('a group', () => {
  it('gives neither a place nor a CLI to a turn that waits', async () => {
    const casts = [new WaitingCast([pay('7')], 'Paid.'), new WaitingCast('Hello.')];
    const [first, second] = casts as [WaitingCast, WaitingCast];
    const group = createGroup({
      maxRunning: 1,
      maxOpen: 1,
      suspendAfterMs: 1,
      launch: (input) => (input.options.sessionStore === first.store ? first : second).launch(input),
    });
    const { options, ran } = createShop();
    const one = group.open({ options: { ...options, sessionStore: first.store } });
    const other = group.open({ options: { ...options, sessionStore: second.store } });
    const turn = one.send('Pay.');
    await waitUntil(() => one.state === 'waiting' && first.alive.size === 0);
    const queued = one.send('And?');
    await waitUntil(() => group.stats().open === 0);
    expect(group.stats()).toMatchObject({ sessions: 2, open: 0, running: 0, lent: 1, waiting: 1 });
    expect(await other.send('Hi.').text()).toBe('Hello.');
    answerPermission(String(one.pendingPermissions()[0]?.requestId), allow());
    expect([await turn.text(), await queued.text()]).toEqual(['Paid.', 'Done.']);
    expect([ran, first.starts]).toEqual([['7'], 2]);
    expect(group.stats()).toMatchObject({ running: 0, lent: 0, waiting: 0 });
    await group.closeAll();
  });

  it.each([{ suspendAfterMs: 0 }, { suspendWithServers: 'yes' as never }])('refuses %o', (wrong) => {
    expect(() => createGroup({ maxRunning: 1, ...wrong })).toThrow(Object.keys(wrong)[0]);
  });
});

describe('openSession', () => {
  it.each([{ suspendAfterMs: -1 }, { suspendWithServers: 1 as never }])('refuses %o', (wrong) => {
    expect(() => createConversation({ lazy: true, ...wrong })).toThrow(Object.keys(wrong)[0]);
  });
});
