// The model of a start with `--offline`: a script that looks an order up, and offers a refund for one that is lost.
import { startOffline, text, toolUse, type ModelContext, type Reply } from 'inboard/testing';

export const startScript = () => startOffline({ onExhausted: answer });

function answer({ prompt, answers }: ModelContext): Reply {
  const order = /\bA-\d+\b/i.exec(prompt)?.[0].toUpperCase();
  if (!order) return text('I am a script, not a model. Ask me about order A-100 or A-102.');
  const said = (tool: string) => answers.findLast(({ name }) => name.endsWith(tool))?.text;
  const found = said('look_up_order');
  if (!found) return toolUse('mcp__shop__look_up_order', { order });
  if (!found.includes('lost')) return text(found);
  const refund = said('refund');
  return refund ? text(`I am sorry: ${order} was lost. ${refund}`) : toolUse('mcp__shop__refund', { order });
}
