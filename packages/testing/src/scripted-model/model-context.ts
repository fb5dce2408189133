// Creates the context of a scripted model's step that is a function. It has the fields of the request, and the fields
// that the fake CLI gives too. The latter are computed from the messages only when they are read.
import { isRecord } from '@inboard/core/util/guards.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { lastAnswer, type ScriptAnswer } from '../script/script-context.js';
import type { ModelContext, ModelRequest, RequestBlock, RequestMessage } from './model-request.js';
import { listBlocks } from './read-request.js';

export function createContext(request: ModelRequest): ModelContext {
  return Object.create(request, {
    prompt: { get: () => readPrompt(request.messages), enumerable: true },
    answers: { get: () => readAnswers(request.messages), enumerable: true },
    answer: { get: () => lastAnswer(readAnswers(request.messages)), enumerable: true },
  }) as ModelContext;
}

/** The last text of the user, without the texts that the CLI adds. */
function readPrompt(messages: readonly RequestMessage[]): string {
  for (const message of messages.toReversed()) {
    if (message.role !== 'user') continue;
    const said = listBlocks(message).filter((block) => block.type === 'text' && !isOfTheCli(block));
    if (said.length > 0) return textOf(said);
  }
  return '';
}

/** The text that the CLI sends by itself when it continues a turn that was cut off. */
const GO_ON = 'Continue from where you left off.';

function isOfTheCli({ text }: RequestBlock): boolean {
  return typeof text === 'string' && (text.startsWith('<system-reminder>') || text.trim() === GO_ON);
}

function readAnswers(messages: readonly RequestMessage[]): ScriptAnswer[] {
  const blocks = messages.flatMap(listBlocks).filter(isRecord);
  const names = new Map(
    blocks.flatMap(({ type, id, name }) => (type === 'tool_use' ? [[id, String(name)] as const] : [])),
  );
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      name: names.get(block['tool_use_id']) ?? '',
      toolUseId: String(block['tool_use_id']),
      text: textOf(block['content']),
      isError: block['is_error'] === true,
    }));
}
