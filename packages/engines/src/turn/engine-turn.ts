// A turn as an engine keeps it: plain JSON that names the conversation and the agent. Transcripts never go through an engine.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { UserContent } from '@inboard/core/live/input/user-message.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { filledText, requireShape } from '@inboard/core/util/option-shapes.js';
import { isPlainJson } from '@inboard/core/util/plain-json.js';
import { conversationKey } from '@inboard/durable/ledger/check-ledger-input.js';

/** A turn of a conversation, as the input of a workflow. It must be plain JSON. */
export interface EngineTurn {
  /** The key of the conversation in the ledger. Turns of one conversation come one after the other. */
  conversation: string;
  /** The name of the agent. */
  agent: string;
  /** An id of the turn that is unique in its conversation, and the same in every attempt. */
  id: string;
  /** The user's message. */
  content: string | UserContent;
  /** Passed to the agent's function, such as who the user is. */
  data?: unknown;
}

/** Throws an InvalidOptionsError unless this is a turn that an engine can keep. `of` is the function that was called with it. */
export function checkTurn(of: string, turn: unknown): asserts turn is EngineTurn {
  if (!isRecord(turn))
    throw new InvalidOptionsError(['turn'], `${of} takes a turn: { conversation, agent, id, content }`);
  const { conversation, agent, id } = turn;
  // The ledger would refuse such a key as well, but only in an attempt, where nobody reads the error.
  for (const [name, value] of Object.entries({ conversation, id }))
    requireShape(name, value, conversationKey, { called: `${of}: "${name}" of the turn` });
  requireShape('agent', agent, filledText, { called: `${of}: "agent" of the turn` });
  const { content, data } = turn;
  if (!(typeof content === 'string' && content !== '') && !(Array.isArray(content) && content.length > 0))
    throw new InvalidOptionsError(
      ['content'],
      `${of}: "content" of the turn must be a text or a list of content blocks`,
    );
  if (!isPlainJson(content) || !isPlainJson(data))
    throw new InvalidOptionsError(
      [isPlainJson(content) ? 'data' : 'content'],
      `${of}: "${isPlainJson(content) ? 'data' : 'content'}" of the turn must be plain JSON, because the engine keeps it`,
    );
}
