// Shows the pending calls of a session as cards: one for each call whose handler has returned, and whose result comes later.
import type { InspectedSession, PendingView } from '@inboard/core/live/watch/inspected-session.js';
import { splitToolName } from '../../model/story/tool-name.js';
import type { CardRegistry } from './card-registry.js';
import type { PendingEnd } from './decide.js';
import type { LiveSession } from './live-session.js';
import type { AskedFacts } from './present-question.js';

/** Adds a card for each pending call, now and later, and removes it when the call has a result. Returns a function to stop. */
export function followPending(
  inspected: InspectedSession,
  session: LiveSession,
  cards: CardRegistry,
): () => void {
  /** How each call was ended by a page; undefined for a call that was not. */
  const open = new Map<string, { end: PendingEnd; by: string } | undefined>();
  const look = (): void => {
    const calls = inspected.pendingCalls();
    const present = new Set(calls.map(({ callKey }) => callKey));
    for (const [callKey, ended] of open) {
      if (present.has(callKey)) continue;
      open.delete(callKey);
      cards.settled(cardIdOf(callKey), ended?.end, ended?.by);
    }
    for (const call of calls) {
      if (open.has(call.callKey)) continue;
      open.set(call.callKey, undefined);
      cards.ask(session, readPending(call), async (answer, by) => {
        const end = answer as PendingEnd;
        const before = open.get(call.callKey);
        open.set(call.callKey, { end, by });
        try {
          await inspected.completeCall(call.callKey, end, by);
        } catch (error) {
          // The value does not fit, or another page was first.
          if (open.has(call.callKey)) open.set(call.callKey, before);
          throw error;
        }
        // The records tell of the end a moment later.
        return true;
      });
    }
  };
  const stop = inspected.watchPending(look);
  look();
  return stop;
}

function cardIdOf(callKey: string): string {
  return `pending ${callKey}`;
}

function readPending({ callKey, toolName, toolUseId, input, note, since }: PendingView): AskedFacts {
  return {
    id: cardIdOf(callKey),
    kind: 'pending',
    subject: toolName,
    title: `${splitToolName(toolName).name} waits for its result`,
    description: note,
    input,
    suggestions: [],
    askedAt: since,
    attempt: 1,
    toolUseId,
    callKey,
  };
}
