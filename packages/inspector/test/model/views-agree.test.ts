// No two views contradict each other: sessions are played by the rules of the protocol, and after each event everything that two
// views say is compared. `same-figures.test.ts` compares sums; this one compares what waits, runs and is over.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutOffSummary } from '../../src/model/cut-off.js';
import { SessionModel } from '../../src/model/session-model.js';
import { wordOfState } from '../../src/model/state-words.js';
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { propertyOptions } from '../../../../test/support/seed.js';
import { findContradictions } from '../support/find-contradictions.js';
import { EventMaker } from '../support/make-events.js';
import { playSession, randomMoves, type Look } from '../support/play-session.js';

const LOOKS: readonly Look[] = [
  { isLive: true, isNew: true },
  { isLive: true, isNew: false },
  { isLive: false, isNew: true },
  { isLive: false, isNew: false },
];

function readAll(events: readonly NumberedEvent[]): { model: SessionModel; server: SummaryLedger } {
  const model = new SessionModel('s1');
  const server = new SummaryLedger('s1');
  for (const [index, event] of events.entries()) {
    model.push(event);
    server.push(event);
    expect(findContradictions(model, server), `after event ${index + 1}, ${event.event.type}`).toEqual([]);
  }
  return { model, server };
}

describe('the views of a session', () => {
  it.each(LOOKS)('agree after each event (%o)', (look) => {
    fc.assert(
      fc.property(randomMoves, (moves) => void readAll(playSession(moves, look))),
      propertyOptions(40),
    );
  });

  it('agree about several sessions whose events come mixed', () => {
    fc.assert(
      fc.property(randomMoves, randomMoves, (one, other) => {
        const parts = [playSession(one, LOOKS[0] as Look, 's1'), playSession(other, LOOKS[1] as Look, 's2')];
        const models = new Map(['s1', 's2'].map((id) => [id, new SessionModel(id)]));
        for (let index = 0; index < Math.max(...parts.map(({ length }) => length)); index += 1)
          for (const part of parts) {
            const event = part[index];
            if (event) models.get(event.s)?.push({ ...event, n: index + 1 });
          }
        for (const part of parts) {
          const alone = new SessionModel(part[0]?.s ?? '');
          for (const event of part) alone.push(event);
          expect(models.get(alone.id)?.summary.read()).toEqual(alone.summary.read());
        }
      }),
      propertyOptions(15),
    );
  });

  it('agree when a recording stops with a question open: nothing waits, and nothing runs', () => {
    const maker = new EventMaker().open().prompt('Pay.').init();
    maker.assistant({ type: 'tool_use', id: 'c1', name: 'Bash', input: {} });
    maker.asks('r1', { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'c1' });
    const { model, server } = readAll(maker.events);
    expect(model.summary.read()).toMatchObject({ state: 'waiting', waiting: 1, current: 'permission' });
    model.cutOff();
    server.cutOff();
    expect(model.summary.read()).toMatchObject({ state: 'cut', waiting: 0 });
    expect(model.story.items.find(({ kind }) => kind === 'call')).toMatchObject({ state: 'cut' });
    expect(model.time).toMatchObject({ current: 'idle' });
  });

  it('say of a program that is gone that it was cut off, whatever it waited for', () => {
    const maker = new EventMaker().open().prompt('Pay.').init();
    maker.assistant({ type: 'tool_use', id: 'c1', name: 'mcp__shop__pay', input: {} });
    maker.asked({ id: 'q1', kind: 'pending', toolUseId: 'c1', subject: 'mcp__shop__pay' });
    const { server } = readAll(maker.events);
    expect(wordOfState(server.read()).word).toBe('waiting for a result');
    expect(wordOfState(cutOffSummary(server.read(), 'gone')).word).toBe('cut off');
  });

  it('keep open what a subagent asked when the CLI goes while a person thinks', () => {
    const maker = new EventMaker().open('conversation').prompt('Pay.').init();
    maker.assistant({ type: 'tool_use', id: 'agent', name: 'Task', input: {} });
    maker.assistant({ type: 'tool_use', id: 'c1', name: 'Bash', input: {} }, { parent: 'agent' });
    maker.asked({ id: 'q1', kind: 'permission', toolUseId: 'c1', subject: 'Bash' }).end(143);
    maker.push({ type: 'suspended', t: maker.t, waitsFor: ['person'] });
    const { model } = readAll(maker.events);
    expect(model.summary.read()).toMatchObject({ state: 'waiting', waiting: 1 });
  });

  it('say that a session without a CLI works from the answer on, whoever runs the call', () => {
    for (const name of ['Bash', 'mcp__shop__pay']) {
      const maker = new EventMaker().open('conversation');
      const request = { subtype: 'initialize', sdkMcpServers: ['shop'] };
      maker.out({ type: 'control_request', request_id: 'i', request }).prompt('Pay.').init();
      maker.assistant({ type: 'tool_use', id: 'c1', name, input: {} });
      maker.asked({ id: 'q1', kind: 'permission', toolUseId: 'c1', subject: name }).end(143);
      maker.push({ type: 'suspended', t: maker.t, waitsFor: ['person'] });
      expect(readAll(maker.events).server.read().state).toBe('waiting');
      maker.settled('q1', { outcome: 'allowed' });
      expect(readAll(maker.events).server.read()).toMatchObject({
        state: 'working',
        current: name === 'Bash' ? 'overhead' : 'code',
      });
    }
  });

  it('call a session idle as soon as its CLI has answered, and not before', () => {
    const maker = new EventMaker().open('conversation');
    maker.out({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } });
    expect(readAll(maker.events).server.read().state).toBe('starting');
    maker.in({ type: 'control_response', response: { subtype: 'success', request_id: 'i', response: {} } });
    expect(readAll(maker.events).server.read()).toMatchObject({ state: 'idle', current: 'idle' });
  });
});
