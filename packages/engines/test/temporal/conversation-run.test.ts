// The queue of a conversation, on a stand-in for Temporal's workflow library whose conditions are looked at when a message has come.
import { describe, expect, it } from 'vitest';
import type {
  CarriedConversation,
  ConversationMessage,
  TemporalConversation,
} from '../../src/temporal/workflow/conversation-facts.js';
import { ConversationTurns } from '../../src/temporal/workflow/conversation-run.js';
import type { WorkflowLibrary } from '../../src/temporal/workflow/workflow-library.js';

interface Handler {
  handle: (...args: unknown[]) => unknown;
  validate?: ((...args: unknown[]) => void) | undefined;
}
interface AttemptInput {
  turn: { id: string };
  stop?: true;
}
interface Condition {
  look: () => void;
  cancel: (error: Error) => void;
  fire: (() => void) | undefined;
}

class TemporalFailure extends Error {}
class Cancelled extends TemporalFailure {}

const settled = () => new Promise(setImmediate);
const stopped = { ok: false, kind: 'interrupted', text: 'stopped', turnCostUsd: 1 };
const ended = (text: string) => ({ state: 'ended', outcome: { ok: true, kind: 'ok', text, turnCostUsd: 1 } });

/** A run whose attempts never return, unless `attempt` says otherwise. */
function startRun({
  isLong = () => false,
  attempt = () => new Promise(() => undefined),
  ...input
}: {
  isLong?: () => boolean;
  attempt?: (input: AttemptInput) => Promise<unknown>;
} & Partial<TemporalConversation>) {
  const handlers = new Map<string, Handler>();
  const conditions = new Set<Condition>();
  const attempts: [string, boolean][] = [];
  const summaries: string[] = [];
  let isCancelled = false;
  let shielded = 0;
  let handling = 0;
  const define = (type: string) => (name: string) => ({ type, name });
  class Scope {
    get consideredCancelled() {
      return isCancelled;
    }
    static current = () => new Scope();
    static nonCancellable = <Result>(work: () => Promise<Result>) => {
      shielded += 1;
      const result = work();
      shielded -= 1;
      return result;
    };
    run = <Result>(work: () => Promise<Result>) =>
      isCancelled ? Promise.reject<Result>(new Cancelled('cancelled')) : work();
    cancel = (): void => undefined;
  }
  const condition = (holds: () => boolean, limitMs?: number) =>
    new Promise<unknown>((resolve, reject) => {
      const isShielded = shielded > 0;
      if (isCancelled && !isShielded) reject(new Cancelled('cancelled'));
      const settle = (value: boolean) => {
        conditions.delete(own);
        resolve(value);
      };
      const own: Condition = {
        look: () => {
          if (holds()) settle(true);
        },
        cancel: (error) => {
          if (!isShielded) reject(error);
        },
        fire: limitMs === undefined ? undefined : () => settle(false),
      };
      conditions.add(own);
      own.look();
    });
  const library: WorkflowLibrary = {
    condition: condition as WorkflowLibrary['condition'],
    sleep: () => new Promise(() => undefined),
    proxyActivities: ({ summary = '' }) => ({
      inboardAttempt: (given: AttemptInput) => {
        attempts.push([given.turn.id, given.stop === true]);
        summaries.push(summary);
        return attempt(given);
      },
    }),
    workflowInfo: () => ({ continueAsNewSuggested: isLong(), originalExecutionRunId: 'run-1' }),
    continueAsNew: () => new Promise(() => undefined),
    allHandlersFinished: () => handling === 0,
    defineQuery: define('query'),
    defineSignal: define('signal'),
    defineUpdate: define('update'),
    setHandler: (definition, handle, options) => {
      const { type, name } = definition as { type: string; name: string };
      handlers.set(`${type} ${name}`, { handle, validate: options?.validator } as Handler);
    },
    CancellationScope: Scope,
    ApplicationFailure: {
      create: ({ message, type }) => Object.assign(new TemporalFailure(message), { type }),
    },
    CancelledFailure: Cancelled,
    TemporalFailure,
    isCancellation: (error) => error instanceof Cancelled,
    log: { warn: () => undefined },
  };
  const run = new ConversationTurns(library, { conversation: 'chat', agent: 'support', ...input }).run();
  run.catch(() => undefined);
  const look = async () => {
    await settled();
    for (const { look: lookAgain } of conditions) lookAgain();
    await settled();
  };
  /** What arrives in one task: conditions are looked at afterwards. */
  const handle = (name: string, ...args: unknown[]): unknown => {
    const handler = handlers.get(name);
    handler?.validate?.(...args);
    const result = handler?.handle(...args);
    if (result instanceof Promise) {
      handling += 1;
      const end = () => (handling -= 1);
      void result.then(end, end);
    }
    return result;
  };
  return {
    run,
    attempts,
    summaries,
    handle,
    look,
    call: (name: string, ...args: unknown[]) => {
      const result = handle(name, ...args);
      for (const each of conditions) each.look();
      return result;
    },
    cancel: () => {
      isCancelled = true;
      for (const each of conditions) each.cancel(new Cancelled('cancelled'));
    },
    fireTimers: () => {
      for (const each of conditions) each.fire?.();
    },
  };
}

const message = (id: string, bytes = 5): ConversationMessage => ({ id, content: 'a'.repeat(bytes) });

it('names an attempt in no more bytes than a server takes', async () => {
  const { call, summaries, look } = startRun({ conversation: '\u{1F4AC}'.repeat(300) });
  call('signal inboardSend', message('1'));
  await look();
  expect(summaries.map((each) => new TextEncoder().encode(each).length <= 400)).toEqual([true]);
});

describe('a stop', () => {
  it.each([[[]], [[null]]])(
    'with the arguments %j takes the first turn, even if it has not begun',
    (args) => {
      const { call } = startRun({});
      call('signal inboardSend', message('1'));
      call('signal inboardStop', ...args);
      expect(call('query inboardState')).toMatchObject({ queue: [], ended: ['1'] });
    },
  );
});

describe('the turns that wait', () => {
  it('may be 1 MB: an update is refused, and the one who waits for a signalled turn is told', async () => {
    const { call } = startRun({});
    call('signal inboardSend', message('1', 800_000));
    expect(() => call('update inboardSend', message('2', 300_000))).toThrow('1000000 bytes');
    // One that waits already is no more.
    expect(() => call('update inboardSend', message('1', 800_000))).not.toThrow();
    expect(() => call('update inboardSend', message('3', 100_000))).not.toThrow();
    call('signal inboardSend', message('4', 300_000));
    expect(call('query inboardOutcome', '4')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('The turns that wait may have') as string,
    });
  });

  it('are few enough for a new run at any time', async () => {
    const inbox = ['1', '2'].map((id) => message(id, 490_000));
    const { run } = startRun({ isLong: () => true, carried: { inbox, ended: [] } });
    expect((await run)?.carried).toEqual({ inbox, open: undefined, ended: [] });
  });
});

describe('turns that have ended', () => {
  it('keep their ids longer than their outcomes', async () => {
    const attempt = ({ turn: { id } }: AttemptInput) => Promise.resolve(ended(id));
    const { call, look, attempts } = startRun({ attempt });
    for (let id = 1; id <= 12; id += 1) call('signal inboardSend', message(`${id}`));
    await look();
    expect(attempts).toHaveLength(12);
    call('signal inboardSend', message('1'));
    await look();
    expect(attempts).toHaveLength(12);
    expect(call('query inboardOutcome', '1')).toEqual({ state: 'forgotten' });
    expect(call('query inboardOutcome', '12')).toMatchObject({ state: 'ended', outcome: { text: '12' } });
    expect(call('query inboardOutcome', '13')).toEqual({ state: 'unknown' });
    expect(call('query inboardState')).toMatchObject({ ended: { length: 10 } });
  });
});

describe('those who wait for the next end', () => {
  it('are told of each turn in order, and no more than four updates wait', async () => {
    let end = (): void => undefined;
    const attempt = ({ turn: { id } }: AttemptInput) =>
      new Promise((resolve) => (end = () => resolve(ended(id))));
    const { call, look } = startRun({ attempt });
    for (const id of ['1', '2']) call('signal inboardSend', message(id));
    await look();
    const { moment } = call('query inboardOutcome', '2') as { moment: string };
    const waits = Array.from({ length: 4 }, () => call('update inboardNextEnd', moment));
    expect(() => call('update inboardNextEnd', moment)).toThrow('4 updates wait');
    end();
    for (let times = 0; times < 3; times += 1) await look();
    const ends = await Promise.all(waits);
    for (const each of ends) expect(each).toMatchObject({ id: '1', report: { outcome: { text: '1' } } });
    expect(ends).toHaveLength(4);
    end();
    for (let times = 0; times < 3; times += 1) await look();
    const [{ moment: later = '' } = {}] = ends as { moment?: string }[];
    expect(await call('update inboardNextEnd', later)).toMatchObject({ id: '2' });
    // Of another run, or of nothing.
    expect(await call('update inboardNextEnd', 'run-0/0')).toEqual({});
    expect(await call('update inboardNextEnd', null)).toEqual({});
  });
});

describe('a fault', () => {
  it('of this code stops the task, and a failure of Temporal ends the turn', async () => {
    const { call, look, run } = startRun({
      attempt: () => Promise.reject(Object.assign(new TemporalFailure('no'), { type: 'CliFailed' })),
    });
    call('signal inboardSend', message('1'));
    await look();
    expect(call('query inboardOutcome', '1')).toEqual({ state: 'failed', error: 'no', type: 'CliFailed' });
    const other = startRun({ attempt: () => Promise.reject(new TypeError('not a function')) });
    other.call('signal inboardSend', message('1'));
    await other.look();
    await expect(other.run).rejects.toThrow('not a function');
    void run;
  });

  it('of the settings fails a workflow that somebody else started with them', async () => {
    const { run } = startRun({ turnsPerRun: 0 });
    await expect(run).rejects.toMatchObject({ type: 'InboardSettingsRefused' });
  });

  it('of settings that only a later version knows stops the task, so that no turn is lost after a rollback', async () => {
    const later = { laterSetting: 1 } as Partial<TemporalConversation>;
    const carried = { inbox: [message('1')], ended: [] };
    for (const input of [{ attempts: later }, { turnsPerRun: 'many', carried }]) {
      const error = await startRun(input as Partial<TemporalConversation>).run.catch((each: unknown) => each);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(TemporalFailure);
      expect((error as Error).message).toMatch(/A worker of a later version of Inboard may take it/);
    }
  });
});

describe('a close', () => {
  it('is handed to a new run, and completes the workflow when no turn is left', async () => {
    const inbox = [message('1')];
    const attempt = () => Promise.resolve(ended('done'));
    const { call, run, look } = startRun({ attempt, isLong: () => true, carried: { inbox, ended: [] } });
    call('signal inboardClose');
    await look();
    expect((await run)?.carried).toMatchObject({ isClosing: true, inbox });
    const next = startRun({ attempt, carried: { inbox, ended: [], isClosing: true } });
    for (let times = 0; times < 3; times += 1) await next.look();
    expect(await next.run).toBeUndefined();
    expect(next.attempts).toHaveLength(1);
  });
});

describe('a conversation that closes', () => {
  it('works on a turn that comes in the task in which its time is over', async () => {
    const attempt = () => Promise.resolve(ended('done'));
    const { attempts, handle, fireTimers, look, run } = startRun({ closeAfterMs: 1000, attempt });
    await settled();
    fireTimers();
    handle('signal inboardSend', message('1'));
    await look();
    expect(attempts).toEqual([['1', false]]);
    fireTimers();
    expect(await run).toBeUndefined();
  });
});

describe('a cancellation', () => {
  const waits = ({ stop }: AttemptInput) =>
    Promise.resolve(
      stop
        ? { state: 'ended', outcome: stopped }
        : { state: 'waiting', questions: [{ id: 'q' }], pending: [], turnCostUsd: 1 },
    );

  it('stops the turn and tells those who wait, before the workflow ends', async () => {
    const { call, cancel, look, run, attempts } = startRun({ attempt: waits });
    call('signal inboardSend', message('1'));
    call('signal inboardSend', message('2'));
    await look();
    const next = call('update inboardNextEnd', 'run-1/0');
    cancel();
    for (let times = 0; times < 4; times += 1) await look();
    expect(await next).toMatchObject({ id: '1', report: { outcome: { kind: 'interrupted' } } });
    await expect(run).rejects.toThrow(Cancelled);
    expect(call('query inboardOutcome', '2')).toMatchObject({
      error: expect.stringContaining('was cancelled before the turn began') as string,
    });
    expect(attempts).toEqual([
      ['1', false],
      ['1', true],
    ]);
  });

  it('is not lost in the task in which a new run is due', async () => {
    let isLong = false;
    const { call, cancel, handle, look, run, attempts } = startRun({
      attempt: waits,
      isLong: () => isLong,
    });
    call('signal inboardSend', message('1'));
    await look();
    isLong = true;
    handle('signal inboardWake');
    cancel();
    await look();
    await expect(run).rejects.toThrow(Cancelled);
    expect(attempts.at(-1)).toEqual(['1', true]);
  });

  it('is not lost while a run that leaves waits for its handlers', async () => {
    let isLong = false;
    const { call, cancel, handle, look, run, attempts } = startRun({
      attempt: waits,
      isLong: () => isLong,
    });
    call('signal inboardSend', message('1'));
    await look();
    const next = handle('update inboardNextEnd', 'run-1/0');
    isLong = true;
    call('query inboardState');
    await settled();
    cancel();
    for (let times = 0; times < 4; times += 1) await look();
    expect(await next).toEqual({});
    await expect(run).rejects.toThrow(Cancelled);
    expect(attempts.at(-1)).toEqual(['1', true]);
  });

  it('of a conversation without turns ends it, and one with the first turn begins none', async () => {
    const idle = startRun({});
    idle.cancel();
    await expect(idle.run).rejects.toThrow(Cancelled);
    const other = startRun({ attempt: waits });
    other.handle('signal inboardSend', message('1'));
    other.cancel();
    await expect(other.run).rejects.toThrow(Cancelled);
    expect(other.attempts).toEqual([]);
  });
});

it('a new run takes over what an older version of the workflow handed on', async () => {
  // As of the first version. Later versions of the workflow must read it.
  const carried: CarriedConversation = {
    inbox: [{ id: '2', content: 'Hello' }],
    open: {
      answers: [{ id: 'q1', result: { behavior: 'allow' }, by: 'ann' }],
      questions: [],
      pending: [],
      costUsd: 2,
      isWoken: false,
      isStopped: false,
    },
    ended: [{ id: '1', outcome: { ok: true, kind: 'ok', text: 'done', turnCostUsd: 1 } }],
  };
  const { call, look } = startRun({ carried, attempt: () => Promise.resolve(ended('done')) });
  await look();
  expect(call('query inboardOutcome', '1')).toMatchObject({ outcome: { text: 'done', turnCostUsd: 1 } });
  expect(call('query inboardOutcome', '2')).toMatchObject({ outcome: { text: 'done', turnCostUsd: 3 } });
});
