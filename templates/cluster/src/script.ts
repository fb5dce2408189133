// A script in place of a model: it sends an order again, asks to pay back, and repeats what the tools said.
import { text, toolUse, type ScriptContext } from 'inboard/testing';

export function playModel({ answers }: ScriptContext) {
  const [replaced, refunded] = answers;
  if (!replaced) return toolUse('mcp__shop__replace', { order: '1001' });
  if (!refunded) return toolUse('mcp__shop__refund', { order: '1001', cents: 500 });
  return text(`Done: ${replaced.text}, ${refunded.text}.`);
}
