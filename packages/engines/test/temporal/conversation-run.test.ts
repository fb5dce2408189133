// The queue of a conversation, on a stand-in for Temporal's workflow library whose conditions are looked at when a message has come.
import { expect, it } from 'vitest';
import {
  ConversationTurns,
  type CarriedConversation,
  type ConversationMessage,
} from '../../src/temporal/workflow/conversation-run.js';
import type { WorkflowLibrary } from '../../src/temporal/workflow/workflow-library.js';

interface Handler {
  handle: (...args: unknown[]) => unknown;
  validate?: ((...args: unknown[]) => void) | undefined;
}

/** A run whose attempts never return. */
function startRun({
  isLong = () => false,
  carried,
}: {
  isLong?: () => boolean;
  carried?: CarriedConversation;
}) {
  const handlers = new Map<string, Handler>();
  const conditions = new Set<() => void>();
  const define = (type: string) => (name: string) => ({ type, name });
  class Scope {
    consideredCancelled = false;
    static current = () => new Scope();
    static nonCancellable = <Result>(work: () => Promise<Result>) => work();
    run = <Result>(work: () => Promise<Result>) => work();
    cancel = (): void => undefined;
  }
  const library: WorkflowLibrary = {
    condition: (holds: () => boolean) =>
      new Promise<never>((resolve) => {
        const look = (): void => {
          if (holds()) (resolve as (value: unknown) => void)(true);
        };
        conditions.add(look);
        look();
      }),
    sleep: () => new Promise(() => undefined),
    proxyActivities: () => ({ inboardAttempt: () => new Promise(() => undefined) }),
    workflowInfo: () => ({ continueAsNewSuggested: isLong() }),
    continueAsNew: () => new Promise(() => undefined),
    allHandlersFinished: () => true,
    defineQuery: define('query'),
    defineSignal: define('signal'),
    defineUpdate: define('update'),
    setHandler: (definition, handle, options) => {
      const { type, name } = definition as { type: string; name: string };
      handlers.set(`${type} ${name}`, { handle, validate: options?.validator } as Handler);
    },
    CancellationScope: Scope,
    ApplicationFailure: { create: ({ message }) => new Error(message) },
    CancelledFailure: Error,
    isCancellation: () => false,
    log: { warn: () => undefined },
  };
  const run = new ConversationTurns(library, { conversation: 'chat', agent: 'support', carried }).run();
  return {
    run,
    call: (name: string, ...args: unknown[]) => {
      const handler = handlers.get(name);
      handler?.validate?.(...args);
      const result = handler?.handle(...args);
      for (const look of conditions) look();
      return result;
    },
  };
}

const message = (id: string, bytes = 5): ConversationMessage => ({ id, content: 'a'.repeat(bytes) });

it.each([[[]], [[null]]])(
  'a stop with the arguments %j takes the first turn, even if it has not begun',
  (args) => {
    const { call } = startRun({});
    call('signal inboardSend', message('1'));
    call('signal inboardStop', ...args);
    expect(call('query inboardState')).toMatchObject({ queue: [], ended: ['1'] });
  },
);

it('an update with a turn is refused when more than 1 MB would wait', () => {
  const { call } = startRun({});
  call('signal inboardSend', message('1', 800_000));
  expect(() => call('update inboardSend', message('2', 300_000))).toThrow('more than 1 MB');
  // One that waits already is no more.
  expect(() => call('update inboardSend', message('1', 800_000))).not.toThrow();
  expect(() => call('update inboardSend', message('3', 100_000))).not.toThrow();
});

it('a run does not leave while too much waits for the next one', async () => {
  const inbox = ['1', '2', '3'].map((id) => message(id, 600_000));
  const { call, run } = startRun({ isLong: () => true, carried: { inbox, ended: [] } });
  await new Promise(setImmediate);
  expect(call('query inboardState')).toMatchObject({ turn: '1', queue: ['2', '3'] });
  const other = startRun({ isLong: () => true, carried: { inbox: inbox.slice(1), ended: [] } });
  expect(await other.run).toEqual({ inbox: inbox.slice(1), open: undefined, ended: [] });
  void run;
});
