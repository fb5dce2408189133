// Decides which events are shortened: those with large tool results. The rule is the same in every journal that shortens. Texts
// of people and models are never shortened, because people read them.
import { isGiven, isRecord } from '@inboard/core/util/guards.js';
import { isLarge } from './large-value.js';
import type { ClusterEventBody, Json, NewClusterEvent } from './records.js';
import { shortenJson } from './shorten-json.js';

type NewBody = Omit<Extract<NewClusterEvent, { type: 'message' }>, 'turn'>;

/** Whether an event must be shortened. */
export function isToShorten(event: { type: string; message?: Json }): event is NewBody {
  const { message } = event;
  return isRecord(message) && message['type'] === 'user' && hasToolResult(message) && isLarge(message);
}

/**
 * Whether a message has the result of a tool. The type `user` is not enough: prompts of subagents, summaries, and messages of a
 * person that the CLI repeats are of this type, too.
 */
function hasToolResult({ tool_use_result: result, message }: Record<string, unknown>): boolean {
  if (isGiven(result)) return true;
  const content = isRecord(message) ? message['content'] : undefined;
  return (
    Array.isArray(content) && content.some((block) => isRecord(block) && block['type'] === 'tool_result')
  );
}

/** The short form of an event. `characters` is the length of its JSON. */
export function shortenEvent({ message }: NewBody, characters: number): Extract<ClusterEventBody, NewBody> {
  return { type: 'message', message: shortenJson(message), shortened: { characters } };
}
