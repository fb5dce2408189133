// Which events are given in a short form, the same in every journal that shortens: large results of tools. What a person or a
// model wrote is read by people, and never shortened.
import { isGiven, isRecord } from '@inboard/core/util/guards.js';
import { isLarge } from './large-value.js';
import type { ClusterEventBody, Json, NewClusterEvent } from './records.js';
import { shortenJson } from './shorten-json.js';

type NewBody = Omit<Extract<NewClusterEvent, { type: 'message' }>, 'turn'>;

/** Whether an event is to be shortened. */
export function isToShorten(event: { type: string; message?: Json }): event is NewBody {
  const { message } = event;
  return isRecord(message) && message['type'] === 'user' && hasToolResult(message) && isLarge(message);
}

/** Prompts of subagents, summaries, and what a person wrote and the CLI sends again, are messages of the same type. */
function hasToolResult({ tool_use_result: result, message }: Record<string, unknown>): boolean {
  if (isGiven(result)) return true;
  const content = isRecord(message) ? message['content'] : undefined;
  return (
    Array.isArray(content) && content.some((block) => isRecord(block) && block['type'] === 'tool_result')
  );
}

/** The short form of an event whose JSON has so many characters. */
export function shortenEvent({ message }: NewBody, characters: number): Extract<ClusterEventBody, NewBody> {
  return { type: 'message', message: shortenJson(message), shortened: { characters } };
}
