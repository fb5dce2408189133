// A script in place of a model: it sends an order again, asks to pay back, and repeats what the tools said.
import { text, toolUse, type ModelContext, type ScriptContext } from 'inboard/testing';

const END = 'Done: ';

/** Plays one reply. The scripted model gives all messages of a conversation, the fake CLI only its answers. */
export function playModel(context: ScriptContext & Partial<Pick<ModelContext, 'messages'>>) {
  const [replaced, refunded] = context.answers.slice(countOld(context.messages ?? []));
  if (!replaced) return toolUse('mcp__shop__replace', { order: '1001' });
  if (!refunded) return toolUse('mcp__shop__refund', { order: '1001', cents: 500 });
  return text(`${END}${replaced.text}, ${refunded.text}.`);
}

/** How many answers belong to earlier messages of the user: those before the script's last words. */
function countOld(messages: ModelContext['messages']): number {
  let count = 0;
  let old = 0;
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    count += blocks.filter(({ type }) => type === 'tool_result').length;
    const hasEnded = role === 'assistant' && blocks.some((block) => String(block['text']).startsWith(END));
    if (hasEnded) old = count;
  }
  return old;
}
