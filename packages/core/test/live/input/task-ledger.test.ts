import { describe, expect, it } from 'vitest';
import type { WireObject } from '../../../src/wire/protocol/codec.js';
import { TaskLedger } from '../../../src/live/input/task-ledger.js';

const system = (subtype: string, fields: object): WireObject => ({ type: 'system', subtype, ...fields });
const started = (task_id: unknown, fields: object = {}): WireObject =>
  system('task_started', { task_id, task_type: 'local_agent', ...fields });
const updated = (task_id: string, patch: unknown): WireObject => system('task_updated', { task_id, patch });
const notified = (task_id: string): WireObject =>
  system('task_notification', { task_id, status: 'completed' });
const list = (tasks: unknown): WireObject => system('background_tasks_changed', { tasks });

function keep(...messages: WireObject[]): TaskLedger {
  const ledger = new TaskLedger();
  for (const message of messages) ledger.observe(message);
  return ledger;
}
const agentsAfter = (...messages: WireObject[]): number => keep(...messages).agents;

describe('background agents', () => {
  it('live from their start to their notification', () => {
    expect(agentsAfter(started('a'))).toBe(1);
    expect(agentsAfter(started('a'), started('b'), notified('a'))).toBe(1);
    expect(agentsAfter(started('a'), notified('a'))).toBe(0);
  });

  it.each(['completed', 'failed', 'stopped', 'killed', 'cancelled'])('end with the status %s', (status) => {
    expect(agentsAfter(started('a'), updated('a', { status }))).toBe(0);
  });

  it.each([{ status: 'running' }, { is_backgrounded: true }, {}, null, 'completed'])(
    'go on after the update %j',
    (patch) => {
      expect(agentsAfter(started('a'), updated('a', patch))).toBe(1);
    },
  );

  it('without a type are taken for agents, which errs on the side of waiting', () => {
    expect(agentsAfter(started('a', { task_type: undefined }))).toBe(1);
  });

  it('count once however often they are announced', () => {
    expect(agentsAfter(started('a'), started('a'))).toBe(1);
  });
});

describe('shells', () => {
  it.each(['local_bash', 'shell', 'remote_shell', 'monitor'])(
    'are tasks of type %s, and counted apart',
    (task_type) => {
      for (const ledger of [keep(started('a', { task_type })), keep(list([{ task_id: 'a', task_type }]))]) {
        expect([ledger.agents, ledger.shells]).toEqual([0, 1]);
        ledger.observe(notified('a'));
        expect([ledger.agents, ledger.shells]).toEqual([0, 0]);
      }
    },
  );
});

describe('what counts for nothing', () => {
  it('is a task without an id', () => {
    const ledger = keep(started(undefined), started(7), list([{ task_type: 'local_bash' }]));
    expect([ledger.agents, ledger.shells]).toEqual([0, 0]);
  });

  it('is anything that is no system message', () => {
    expect(agentsAfter({ type: 'assistant', subtype: 'task_started', task_id: 'a' })).toBe(0);
  });
});

describe('a whole list', () => {
  it('replaces what was known', () => {
    const agent = { task_id: 'b', task_type: 'local_agent' };
    expect(agentsAfter(started('a'), list([agent]))).toBe(1);
    expect(agentsAfter(started('a'), list([]))).toBe(0);
    expect(agentsAfter(list([agent]), notified('b'))).toBe(0);
    expect(keep(started('a', { task_type: 'local_bash' }), list([agent])).shells).toBe(0);
  });

  it('that cannot be read changes nothing', () => {
    expect(agentsAfter(started('a'), list('none'))).toBe(1);
    expect(agentsAfter(list([null, 5, { task_id: 'a' }]))).toBe(1);
  });
});
