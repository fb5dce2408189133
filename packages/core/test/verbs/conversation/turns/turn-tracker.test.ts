import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SDKMessage } from '../../../../src/wire/protocol/messages/messages.js';
import { OpenTurn } from '../../../../src/verbs/conversation/turns/turn.js';
import { TurnTracker } from '../../../../src/verbs/conversation/turns/turn-tracker.js';
import { toUserMessage } from '../../../../src/live/input/user-message.js';
import { encodeOnce } from '../../../../src/util/queues/broadcast.js';
import { outcomeOf } from '../../../../../../test/support/scene.js';
import { assistant, init, lifecycle, result } from '../../../../../../test/support/steps.js';

function openTurn(): OpenTurn {
  return new OpenTurn({
    message: toUserMessage('hi'),
    onCancel: () => Promise.resolve(false),
    onTextStream: () => {},
  });
}

function tell(tracker: TurnTracker, ...messages: object[]): number {
  let ended = 0;
  for (const message of messages) ended += tracker.observe(message as SDKMessage, encodeOnce(message));
  return ended;
}

async function readTypes(turn: OpenTurn): Promise<string[]> {
  const types: string[] = [];
  for await (const message of turn) types.push(message.type);
  return types;
}

describe('the turn tracker', () => {
  it('ends every turn with the result of the turn that took it, however they are merged', async () => {
    // Each group is taken up together; a folded member is completed before the result, others after it.
    const groups = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(groups, fc.boolean(), async (plan, isNamed) => {
        const tracker = new TurnTracker();
        const turns = plan.map((group) => group.map(() => openTurn()));
        for (const turn of turns.flat()) tracker.wrote(turn);
        for (const turn of turns.flat()) tell(tracker, lifecycle(turn.uuid, 'queued'));
        for (const [index, group] of turns.entries()) {
          const folded = group.filter((_, member) => plan[index]?.[member]);
          const rest = group.filter((turn) => !folded.includes(turn));
          tell(tracker, ...group.map((turn) => lifecycle(turn.uuid, 'started')), init(), assistant('x'));
          tell(tracker, ...folded.map((turn) => lifecycle(turn.uuid, 'completed')));
          const uuids = group.map((turn) => turn.uuid);
          tell(tracker, result({ result: String(index), ...(isNamed ? { user_message_uuids: uuids } : {}) }));
          tell(tracker, ...rest.map((turn) => lifecycle(turn.uuid, 'completed')));
          for (const turn of group) expect((await turn.outcome()).text).toBe(String(index));
        }
        expect([tracker.size, tracker.isInTurn]).toEqual([0, false]);
      }),
      { numRuns: 50 },
    );
  });

  it('knows the turns of a CLI that reports nothing by their order', async () => {
    const tracker = new TurnTracker();
    const turn = openTurn();
    tracker.wrote(turn);
    expect([tell(tracker, init(), assistant('x')), turn.state, tracker.reports]).toEqual([
      0,
      'running',
      false,
    ]);
    expect(tell(tracker, result())).toBe(1);
    expect(await readTypes(turn)).toEqual(['system', 'assistant', 'result']);
  });

  it('takes the result of a turn that began without a word', async () => {
    const tracker = new TurnTracker();
    const turn = openTurn();
    tracker.wrote(turn);
    expect(tell(tracker, result())).toBe(1);
    expect(await readTypes(turn)).toEqual(['result']);
  });

  it('does not take the result of a turn the CLI began by itself', () => {
    for (const reports of [true, false]) {
      const tracker = new TurnTracker();
      const turn = openTurn();
      tracker.wrote(turn);
      if (reports) tell(tracker, lifecycle(turn.uuid, 'queued'));
      expect(tell(tracker, init(), result({ origin: { kind: 'task-notification' } }))).toBe(0);
      expect(turn.isOver).toBe(false);
    }
  });

  it('does not take an old result for the answer to a later message', () => {
    const tracker = new TurnTracker();
    const turn = openTurn();
    tell(tracker, lifecycle('stranger', 'started'), result());
    tracker.wrote(turn);
    tell(
      tracker,
      lifecycle(turn.uuid, 'queued'),
      lifecycle(turn.uuid, 'started'),
      lifecycle(turn.uuid, 'completed'),
    );
    expect(turn.isOver).toBe(false);
    expect(tell(tracker, result({ result: 'mine', user_message_uuids: [turn.uuid] }))).toBe(1);
  });

  it('fails a message that is withdrawn before its turn', async () => {
    const tracker = new TurnTracker();
    const turn = openTurn();
    tracker.wrote(turn);
    tell(tracker, lifecycle(turn.uuid, 'queued'), lifecycle(turn.uuid, 'cancelled'));
    expect((await outcomeOf(turn.outcome())).error).toMatchObject({ code: 'ABORTED' });
    expect(tracker.size).toBe(0);
  });
});
