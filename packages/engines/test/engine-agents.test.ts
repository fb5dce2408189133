// What all adapters check, and what they hand to an attempt.
import { describe, expect, it } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import { prepareAttempts, type EngineOptions } from '../src/turn/engine-agents.js';
import { checkTurn } from '../src/turn/engine-turn.js';

const TURN = { conversation: 'chat', agent: 'support', id: '1', content: 'Hello' };
const ledger = createMemoryLedger();

describe('a turn', () => {
  it.each([
    ['no turn', undefined, /adapter\(\) takes a turn: \{ conversation, agent, id, content \}/],
    ['no conversation', { ...TURN, conversation: '' }, /"conversation" of the turn must be/],
    ['no agent', { ...TURN, agent: 3 }, /"agent" of the turn must be/],
    [
      'a conversation that no ledger takes',
      { ...TURN, conversation: 'x'.repeat(501) },
      /"conversation".* 500 /,
    ],
    ['half a surrogate pair', { ...TURN, id: 'a\uDC00' }, /"id" of the turn must be .* surrogate/],
    ['no id', { ...TURN, id: undefined }, /"id" of the turn must be/],
    ['no content', { ...TURN, content: [] }, /"content" of the turn must be a text or a list/],
    ['data that is not JSON', { ...TURN, data: new Map() }, /"data" of the turn must be plain JSON/],
  ])('is refused with %s', (_name, turn, message) => {
    expect(() => checkTurn('adapter()', turn)).toThrow(message);
  });
});

describe('agents', () => {
  it.each([
    ['none', { agents: {}, ledger }, /needs "agents"/],
    ['one that is none', { agents: { a: 'x' }, ledger }, /the agent "a" must be options/],
    ['no ledger', { agents: { a: {} } }, /needs "ledger"/],
  ])('are refused: %s', (_name, options, message) => {
    expect(() => prepareAttempts('adapter()', options as unknown as EngineOptions)).toThrow(message);
  });

  it('are named in the error for a name that is not among them', async () => {
    const attempt = prepareAttempts('adapter()', { agents: { support: {} }, ledger });
    await expect(attempt({ ...TURN, agent: 'suport' })).rejects.toThrow('Did you mean "support"?');
    // What every object inherits is no agent.
    await expect(attempt({ ...TURN, agent: 'constructor' })).rejects.toThrow('no agent "constructor"');
  });

  it('get the data of the turn', async () => {
    const seen: unknown[] = [];
    const attempt = prepareAttempts('adapter()', {
      agents: {
        support: ({ conversation, turn, data }) => {
          seen.push([conversation, turn, data]);
          throw new Error('far enough');
        },
      },
      ledger,
    });
    await expect(attempt({ ...TURN, data: { name: 'Bo' } })).rejects.toThrow('far enough');
    expect(seen).toEqual([['chat', '1', { name: 'Bo' }]]);
  });
});
