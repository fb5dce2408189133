// Without the API's client library the payloads have types of our own.
import type { ContentBlock, MessageParam, SDKAssistantMessage, TextBlock } from 'inboard';

export function firstText(message: SDKAssistantMessage): TextBlock | undefined {
  const block: ContentBlock | undefined = message.message.content[0];
  return block?.type === 'text' ? block : undefined;
}

export const said: MessageParam = { role: 'user', content: [{ type: 'text', text: 'x' }] };
// @ts-expect-error There is no such role.
export const wrong: MessageParam = { role: 'usr', content: 'x' };
