import { describe, expect, it } from 'vitest';
import { compareSessions } from '../../src/model/fleet/compare/compare-sessions.js';
import { SessionModel } from '../../src/model/session-model.js';
import { EventMaker } from '../support/make-events.js';
import { tellSteps } from './tell-steps.js';

describe('compareSessions', () => {
  const model = (id: string, tell: (maker: EventMaker) => EventMaker): SessionModel => {
    const session = new SessionModel(id);
    for (const event of tell(new EventMaker(id)).events) session.push(event);
    return session;
  };

  it('reads two sessions from their events', () => {
    const left = model('a', (maker) =>
      maker
        .open('query', 'left')
        .prompt('How many lamps?')
        .init()
        .call('t1', 'mcp__shop__count', { article: 'lamp' })
        .call('t2', 'Bash', { command: 'ls' }, { isError: true, result: 'no' })
        .turnEnd('Seven.', { costUsd: 0.02 })
        .end()
        .over(),
    );
    const right = model('b', (maker) =>
      maker
        .open('query', 'right')
        .prompt('How many lamps?')
        .init({ model: 'claude-opus-4-5' })
        .call('t9', 'mcp__shop__count', { article: 'desk' })
        .turnEnd('Seven.', { costUsd: 0.05 })
        .end()
        .over(),
    );
    const { steps, counts, totals, tools, facts } = compareSessions(left, right);
    expect(tellSteps(steps).filter((line) => !line.startsWith('same'))).toEqual([
      'differs call count: input',
      'left call Bash',
    ]);
    expect(counts).toMatchObject({ differs: 1, left: 1, right: 0 });
    expect(totals.find(({ name }) => name === 'Cost')).toMatchObject({
      unit: 'money',
      left: 0.02,
      right: 0.05,
    });
    expect(totals.find(({ name }) => name === 'Errors')).toMatchObject({ left: 1, right: 0 });
    expect(tools).toEqual([
      { name: 'shop: count', left: { calls: 1, failed: 0 }, right: { calls: 1, failed: 0 } },
      { name: 'Bash', left: { calls: 1, failed: 1 }, right: { calls: 0, failed: 0 } },
    ]);
    expect(facts.find(({ name }) => name === 'Model')).toMatchObject({ right: 'claude-opus-4-5' });
  });
});
