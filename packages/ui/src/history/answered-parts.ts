// Puts the decisions of people into past messages: the input that a call ran with, and why a call was denied. The transcript has
// only what the model asked for, so this comes from the call records.
import type { AnsweredCall } from '@inboard/core/verbs/conversation/completion/read-answered-calls.js';
import { describeAnswer, isSameInput } from '../stream/answer-facts.js';
import type { UiMessage, UiPart, UiToolPart } from './ui-message.js';

/** The messages with what is known of the answers to their calls. `calls` are named by the ids that the model gave them. */
export function withAnswers(
  messages: readonly UiMessage[],
  calls: ReadonlyMap<string, AnsweredCall>,
): UiMessage[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => withAnswer(part, calls)),
  }));
}

function withAnswer(part: UiPart, calls: ReadonlyMap<string, AnsweredCall>): UiPart {
  const call = part.type === 'dynamic-tool' ? calls.get(part.toolCallId) : undefined;
  if (!call) return part;
  return addAnswer(part as UiToolPart, call);
}

function addAnswer(part: UiToolPart, { callKey, allowedInput, denial, by }: AnsweredCall): UiToolPart {
  const { toolCallId, toolName } = part;
  const isEdited = allowedInput !== undefined && !isSameInput(allowedInput, part.input);
  const callProviderMetadata = describeAnswer({ by, isEdited }, part.callProviderMetadata);
  const metadata = callProviderMetadata && { callProviderMetadata };
  if (denial !== undefined && part.state === 'output-error')
    return {
      type: 'dynamic-tool',
      toolCallId,
      toolName,
      input: part.input,
      ...metadata,
      state: 'output-denied',
      approval: { id: callKey, approved: false, reason: denial },
    };
  return { ...part, ...(isEdited && { input: allowedInput }), ...metadata };
}
