import { describe, expect, it } from 'vitest';
import type { WireObject } from '../../../src/wire/protocol/codec.js';
import type { SDKUserMessage } from '../../../src/wire/protocol/messages/messages.js';
import { TurnLedger } from '../../../src/live/input/turn-ledger.js';

const user = (fields: object = {}): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content: 'x' },
  parent_tool_use_id: null,
  ...fields,
});
const result = (fields: object = {}): WireObject => ({ type: 'result', subtype: 'success', ...fields });
const stateChange = (state: unknown): WireObject => ({
  type: 'system',
  subtype: 'session_state_changed',
  state,
});
const command = (command_uuid: unknown, state: string): WireObject => ({
  type: 'command_lifecycle',
  command_uuid,
  state,
});

function keep(...events: Array<SDKUserMessage | WireObject>): TurnLedger {
  const ledger = new TurnLedger();
  for (const event of events) {
    if (event['type'] === 'user') ledger.wrote(event as SDKUserMessage);
    else ledger.observe(event);
  }
  return ledger;
}

describe('on a CLI that reports nothing', () => {
  it('owes nothing before anything is written', () => {
    expect(keep().unanswered).toBe(0);
    expect(keep().state).toBe('unreported');
    expect(keep().lastResult).toBeUndefined();
  });

  it('takes one result for each message, oldest first', () => {
    const ledger = keep(user(), user({ uuid: 'b' }), user({ uuid: 'c' }));
    const owed = [ledger.unanswered];
    for (let index = 0; index < 3; index += 1) {
      ledger.observe(result());
      owed.push(ledger.unanswered);
    }
    expect(owed).toEqual([3, 2, 1, 0]);
  });

  it('survives more results than messages', () => {
    expect(keep(user(), result(), result(), result()).unanswered).toBe(0);
  });

  it('takes one message off for a result that names it, and no second one', () => {
    const ledger = keep(user({ uuid: 'a' }), user({ uuid: 'b' }), result({ user_message_uuid: 'b' }));
    expect(ledger.unanswered).toBe(1);
    ledger.observe(result({ user_message_uuid: 'a' }));
    expect(ledger.unanswered).toBe(0);
  });
});

describe('on a CLI that reports its state', () => {
  it('takes a result that names several messages for all of them', () => {
    const ledger = keep(
      user({ uuid: 'a' }),
      user({ uuid: 'b' }),
      user({ uuid: 'c' }),
      stateChange('running'),
      result({ user_message_uuids: ['a', 'b'] }),
    );
    expect(ledger.unanswered).toBe(1);
  });

  it('takes any result for an answer to the one message that has no uuid', () => {
    const ledger = keep(user(), user({ uuid: 'b' }), stateChange('running'), result());
    expect(ledger.unanswered).toBe(1);
    ledger.observe(result({ user_message_uuids: ['b'] }));
    expect(ledger.unanswered).toBe(0);
  });

  it('takes one result for both when they were answered together', () => {
    const ledger = keep(
      user(),
      user({ uuid: 'b' }),
      stateChange('running'),
      result({ user_message_uuids: ['b'] }),
    );
    expect(ledger.unanswered).toBe(0);
  });

  it('guesses nothing from a result that names nobody', () => {
    expect(keep(user({ uuid: 'a' }), stateChange('running'), result()).unanswered).toBe(1);
  });

  it('ignores names it does not know and things that are no names', () => {
    const ledger = keep(
      user({ uuid: 'a' }),
      stateChange('running'),
      result({ user_message_uuids: ['z', 7, null] }),
    );
    expect(ledger.unanswered).toBe(1);
  });

  it.each(['completed', 'cancelled', 'from_the_future'])('takes a %s command for answered', (final) => {
    const ledger = keep(user({ uuid: 'a' }), command('a', 'queued'), command('a', 'started'));
    expect(ledger.unanswered).toBe(1);
    ledger.observe(command('a', final));
    expect(ledger.unanswered).toBe(0);
  });

  it('ignores commands of others', () => {
    expect(keep(user({ uuid: 'a' }), command('z', 'completed'), command(5, 'completed')).unanswered).toBe(1);
  });

  it('remembers the last state it knows', () => {
    expect(keep(stateChange('running'), stateChange('requires_action')).state).toBe('requires_action');
    expect(keep(stateChange('idle'), stateChange('from_the_future')).state).toBe('idle');
    expect(keep(stateChange(undefined)).state).toBe('unreported');
  });
});

describe('what needs no answer', () => {
  it('is a message that only adds to the conversation, first, last or alone', () => {
    const silent = user({ shouldQuery: false });
    expect(keep(silent).unanswered).toBe(0);
    expect(keep(silent, user({ uuid: 'b' })).unanswered).toBe(1);
    expect(keep(silent, user(), result()).unanswered).toBe(0);
    expect(keep(user(), result(), silent).unanswered).toBe(0);
  });

  it('is anything that is no user message', () => {
    expect(keep({ type: 'control_request' }).unanswered).toBe(0);
    const ledger = new TurnLedger();
    ledger.wrote({ type: 'update_environment_variables' } as unknown as SDKUserMessage);
    expect(ledger.unanswered).toBe(0);
  });
});

describe('a uuid that was written before', () => {
  it('is owed nothing: the CLI drops such a message without a word', () => {
    expect(keep(user({ uuid: 'a' }), user({ uuid: 'a' })).unanswered).toBe(1);
    const ledger = keep(user({ uuid: 'a' }), result({ user_message_uuids: ['a'] }), user({ uuid: 'a' }));
    expect(ledger.unanswered).toBe(0);
    expect(ledger.resultSinceWrite).toBe(true);
  });
});

describe('a turn', () => {
  it('goes from its init to its result', () => {
    const ledger = keep(user());
    expect(ledger.isInTurn).toBe(false);
    ledger.observe({ type: 'system', subtype: 'init' });
    expect(ledger.isInTurn).toBe(true);
    ledger.observe(result());
    expect(ledger.isInTurn).toBe(false);
  });
});

describe('settling', () => {
  it('takes everything for answered, but for a turn that begins after all', () => {
    const ledger = keep(user(), user({ uuid: 'b' }), result());
    ledger.settle();
    expect(ledger.unanswered).toBe(0);
    ledger.observe({ type: 'system', subtype: 'init' });
    expect(ledger.unanswered).toBe(1);
    ledger.observe(result());
    expect(ledger.unanswered).toBe(0);
  });
});

describe('the last result', () => {
  it('is kept, and counts as current until the next message is written', () => {
    const ledger = keep(user(), result({ result: 'one' }));
    expect(ledger.lastResult).toMatchObject({ result: 'one' });
    expect(ledger.resultSinceWrite).toBe(true);
    ledger.wrote(user({ uuid: 'b' }));
    expect(ledger.resultSinceWrite).toBe(false);
    expect(ledger.lastResult).toMatchObject({ result: 'one' });
  });
});

describe('what was read', () => {
  it('never becomes less', () => {
    const ledger = keep(user(), user());
    ledger.noteRead(2);
    ledger.noteRead(1);
    expect(ledger.written).toBe(2);
    expect(ledger.isAllRead).toBe(true);
  });
});

it('takes the one uuid that a result names, where it names no list', () => {
  const ledger = keep(user({ uuid: 'a' }), user({ uuid: 'b' }), result({ user_message_uuid: 'b' }));
  expect(ledger.dropOpen()).toEqual(['a']);
});
