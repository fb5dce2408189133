// Reads what the model of `inboard play` is asked, from the messages of a request: the questions so far, and the calls of the
// turn that runs.
import { CONTINUATION_START } from '@inboard/core/record/history/transcript/transcript-state.js';
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { RequestBlock, RequestMessage } from '@inboard/inboard/testing.js';

/** A call of the current turn, with its result. */
export interface FinishedCall {
  name: string;
  input: Readonly<Record<string, unknown>>;
  text: string;
  /** The result, where it is a JSON object. */
  value: Readonly<Record<string, unknown>>;
  isError: boolean;
}

export interface ReadTurn {
  /** All questions of the conversation, oldest first. The last one is that of the current turn. */
  questions: readonly string[];
  calls: readonly FinishedCall[];
}

/** How texts begin that the CLI or this package adds to the messages of the user. */
const ADDED = ['<', '[Request interrupted', 'Continue from where you left off', CONTINUATION_START];

export function readTurn(messages: readonly RequestMessage[]): ReadTurn {
  const questions: string[] = [];
  let calls: FinishedCall[] = [];
  const uses = new Map<unknown, RequestBlock>();
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const said = role === 'user' ? blocks.filter(isQuestion).map((block) => textOf([block])) : [];
    if (said.length > 0) {
      questions.push(said.join('\n'));
      calls = [];
    }
    for (const block of blocks) {
      if (block.type === 'tool_use') uses.set(block['id'], block);
      if (block.type === 'tool_result') calls.push(readCall(block, uses.get(block['tool_use_id'])));
    }
  }
  return { questions, calls };
}

function isQuestion({ type, text }: RequestBlock): boolean {
  return (
    type === 'text' && typeof text === 'string' && !ADDED.some((start) => text.trimStart().startsWith(start))
  );
}

function readCall(result: RequestBlock, use: RequestBlock | undefined): FinishedCall {
  const text = textOf(result['content']);
  const input = use?.['input'];
  return {
    name: String(use?.['name']),
    input: isRecord(input) ? input : {},
    text,
    value: parseRecord(text) ?? {},
    isError: result['is_error'] === true,
  };
}
