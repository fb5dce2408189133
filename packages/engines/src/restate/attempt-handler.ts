// The handler that makes one attempt. Restate can cancel it at any time, and retries it on another pod if this one dies.
import { clock } from '@inboard/core/util/system/clock.js';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { MakeAttempt } from '../turn/engine-agents.js';
import type { EngineTurn } from '../turn/engine-turn.js';
import type { RestateLibrary, SharedContext } from './restate-library.js';

export interface AttemptRequest {
  turn: EngineTurn;
  answers: QuestionAnswer[];
  /** Whether the turn is to be ended as a person's interruption. */
  stop?: true;
}

/** How an attempt ended. One that lost its conversation is retried, so that its end is not known here. */
export type AttemptReply =
  Extract<AttemptEnd, { state: 'ended' | 'waiting' }> | { state: 'busy'; forMs: number };

/** Makes an attempt. If it is cancelled, the turn is interrupted, and the reply is how it ended. */
export async function handleAttempt(
  { CancelledError }: RestateLibrary,
  attempt: MakeAttempt,
  context: SharedContext,
  { turn, answers, stop }: AttemptRequest,
): Promise<AttemptReply> {
  const interrupt = new AbortController();
  if (stop) interrupt.abort();
  // Aborts when the server does not wait for this any more, such as after its abort timeout. It makes another attempt then.
  const { attemptCompletedSignal: signal } = context.request();
  let working: Promise<AttemptReply> | undefined;
  const work = async (): Promise<AttemptReply> =>
    toReply(await attempt(turn, { answers, signal, interrupt: interrupt.signal }));
  try {
    return await context.run('attempt', () => (working = work()));
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
    interrupt.abort(error);
    const reply = await working?.catch(() => undefined);
    if (reply?.state === 'ended') return reply;
    throw error;
  }
}

function toReply(end: AttemptEnd): AttemptReply {
  if (end.state === 'lost') throw new Error('A newer attempt has taken the conversation');
  if (end.state !== 'busy') return end;
  return { state: 'busy', forMs: Math.max(0, end.until - clock.Date.now()) };
}
