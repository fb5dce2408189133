// Tells everything that follows a conversation what became of calls that were completed while there was no CLI: its turns, the
// readers of its messages, its inspectors and its trace.
import { TurnMeter } from '../../record/usage/turn-meter.js';
import type { UsageLedger } from '../../record/usage/usage-ledger.js';
import { encodeOnce, type Broadcast } from '../../util/queues/broadcast.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { Completion } from './completion/completion.js';
import type { CliFollowers } from './inspect-conversation.js';
import type { RecordingParts } from './recording-parts.js';
import { createStoppedResult, showCompleted } from './show-completed.js';
import type { OpenTurn } from './turns/turn.js';

/** Calls that were completed, and the turns that they belong to. */
export interface CompletedTurns {
  readonly completed: Completion & { readonly sessionId: string };
  readonly turns: readonly OpenTurn[];
}

/** What is told of completed calls. */
export interface CompletionListeners {
  readonly parts: RecordingParts;
  readonly messages: Broadcast<SDKMessage>;
  readonly followers: CliFollowers | undefined;
  readonly usage: UsageLedger;
}

/** Turns and readers of messages get the results that the CLI finds in its transcript. Inspectors get every call. */
export function tellCompleted({ completed, turns }: CompletedTurns, listeners: CompletionListeners): void {
  const { parts, messages, followers } = listeners;
  const { calls, isStopped, sessionId } = completed;
  if (calls.length > 0) parts.emit({ type: 'completed', calls });
  const shown = showCompleted(completed, sessionId);
  for (const { message, isDelivered } of shown) {
    followers?.completed(message);
    if (!isDelivered) continue;
    const encode = encodeOnce(message);
    messages.push(message, encode);
    for (const turn of turns) turn.deliver(message, encode);
  }
  const told = shown.map(({ message }) => message);
  parts.recording.completed.push(...told);
  parts.warnings.call('withTelemetry', () => parts.onCallsCompleted?.(told));
  for (const turn of turns) turn.completed.push(...calls);
  if (isStopped) stopTurns(turns, listeners, sessionId);
}

/** Ends turns that were stopped while there was no CLI to report that. */
function stopTurns(
  turns: readonly OpenTurn[],
  { parts, messages, usage }: CompletionListeners,
  sessionId: string,
): void {
  const result = createStoppedResult(sessionId);
  // The turn used something on the CLI that was let go. No other result will report that.
  const isLetGo = usage.isLetGo;
  if (isLetGo) usage.observe(result);
  const spent = isLetGo ? parts.turns.written.measureStopped(result) : new TurnMeter().measure(result);
  const encode = encodeOnce(result);
  messages.push(result, encode);
  for (const turn of turns) {
    turn.deliver(result, encode);
    turn.succeed(result, spent);
  }
}
