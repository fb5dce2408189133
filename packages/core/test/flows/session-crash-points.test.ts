// A CLI that dies after each of the lines it writes, and at each of those it reads: whatever the point, every
// turn ends, nothing is answered twice, and the session goes on.
import { describe, expect, it } from 'vitest';
import type { Launch } from '../../src/live/launch.js';
import { createConversation, presentConversation } from '../../src/verbs/conversation/open-session.js';
import type { Resend } from '../../src/verbs/conversation/restart-policy.js';
import { createMemoryTransport } from '../../src/wire/transport/memory-transport.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { assistant, INITIALIZE_REPLY, result } from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

const USES_TOOL = {
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
  parent_tool_use_id: null,
};

interface Mortal {
  launch: Launch;
  /** Texts that were answered, in order. */
  answered: string[];
  starts: number;
}

/** Answers every message at once; the first of its processes dies when it has read and written so many lines. */
function createMortal({ lines, reports }: { lines: number; reports: boolean }): Mortal {
  const mortal: Mortal = { answered: [], starts: 0, launch: () => Promise.reject(new Error()) };
  mortal.launch = ({ options }) => {
    const id = options.resume ?? options.sessionId;
    mortal.starts += 1;
    let left = mortal.starts === 1 ? lines : Number.POSITIVE_INFINITY;
    const { transport, peer } = createMemoryTransport({ leavesAtEndOfInput: true });
    const live = (): boolean => {
      if (left === 0) peer.end({ signal: 'SIGKILL' });
      left -= 1;
      return left >= 0 && !peer.isOver;
    };
    const send = (message: object): boolean => {
      if (!live()) return false;
      peer.send(JSON.stringify(message));
      return true;
    };
    peer.onLine((text) => {
      if (!live()) return;
      const line = JSON.parse(text) as Record<string, unknown>;
      if (line['type'] === 'control_request') {
        const response = { subtype: 'success', request_id: line['request_id'], response: INITIALIZE_REPLY };
        send({ type: 'control_response', response });
      }
      if (line['type'] !== 'user') return;
      const uuid = String(line['uuid']);
      const said = (line['message'] as { content: { text: string }[] }).content[0]?.text ?? '';
      const life = (state: string): object[] =>
        reports ? [{ type: 'command_lifecycle', command_uuid: uuid, state, session_id: id }] : [];
      const answer = result({ result: said, ...(reports ? { user_message_uuids: [uuid] } : {}) });
      const whole = [
        ...life('queued'),
        ...life('started'),
        { type: 'system', subtype: 'init', session_id: id },
        USES_TOOL,
        assistant(said),
        answer,
        ...life('completed'),
      ];
      for (const message of whole) {
        const isSent = send(message);
        if (isSent && message === answer) mortal.answered.push(said);
        if (!isSent) return;
      }
    });
    return Promise.resolve({
      transport,
      initialize: {},
      version: '2.1.325',
      warnings: [],
      discard: () => {},
    });
  };
  return mortal;
}

const POINTS = Array.from({ length: 32 }, (_, index) => index);

describe.each([true, false])('a CLI that reports the life of each message: %s', (reports) => {
  useVirtualClock();

  it.each<Resend>(['never', 'untouched', 'unanswered'])(
    'may die at any point (resend: %s)',
    async (resend) => {
      const seen = { lost: 0, answered: 0 };
      for (const lines of POINTS) {
        const mortal = createMortal({ lines, reports });
        const conversation = createConversation({ launch: mortal.launch, restart: { resend } });
        const session = presentConversation(conversation);
        const turns = ['1', '2', '3'].map((text) => session.send(text));
        const outcomes = await settleWithin(5000, Promise.all(turns.map((turn) => outcomeOf(turn.text()))));
        await elapse(1000);
        const context = `after ${lines} lines`;
        if (mortal.starts === 1 && session.state === 'closed') {
          // It never shook hands, so nothing is known to work.
          expect(lines, context).toBeLessThan(3);
          expect(outcomes.every(({ error }) => error !== undefined)).toBe(true);
          await session.close();
          continue;
        }
        expect(session.state, context).toBe('ready');
        expect(mortal.starts, context).toBeLessThanOrEqual(2);
        for (const [index, { value, error }] of outcomes.entries()) {
          const text = String(index + 1);
          const count = mortal.answered.filter((each) => each === text).length;
          if (error === undefined) {
            seen.answered += 1;
            expect([value, count], context).toEqual([text, 1]);
          } else {
            seen.lost += 1;
            expect(error, context).toMatchObject({ code: 'TURN_LOST', sessionGoesOn: true });
            expect(count, context).toBe(0);
          }
        }
        // The first process is still to die where the point lies behind all three.
        if (mortal.starts === 2) {
          expect(await settleWithin(5000, session.send('still there?').text())).toBe('still there?');
        }
        await session.close();
      }
      // Each of the two happened, or the points were not where they should be.
      expect(seen.answered).toBeGreaterThan(20);
      if (resend === 'unanswered') expect(seen.lost).toBe(0);
      else expect(seen.lost).toBeGreaterThan(0);
    },
  );
});
