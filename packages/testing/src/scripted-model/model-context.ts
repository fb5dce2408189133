// What a step of the scripted model that is a function is called with: the request, and what the fake CLI would say
// about the same moment. Worked out from the messages only when it is looked at.
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

/** The last text of the user, without what the CLI puts beside it. */
function readPrompt(messages: readonly RequestMessage[]): string {
  for (const message of messages.toReversed()) {
    if (message.role !== 'user') continue;
    const said = listBlocks(message).filter((block) => block.type === 'text' && !isOfTheCli(block));
    if (said.length > 0) return textOf(said);
  }
  return '';
}

/** What the CLI says by itself when it goes on with a turn that was cut off. */
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
