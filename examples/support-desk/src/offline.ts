// The model of a start without a key: a script that looks an order up, searches for what is lost, and offers a refund.
import { startOffline, text, toolUse, type ModelContext, type Reply } from 'inboard/testing';

const ORDER = /\bA-\d+\b/i;
/** Word by word, as a model writes. */
const write = (words: string): Reply => text(words.split(/(?<=\s)/));
export const startScript = (folder: string) => startOffline({ onExhausted: answer }, { folder });

function answer({ prompt, answers }: ModelContext): Reply {
  const order = ORDER.exec(prompt)?.[0].toUpperCase();
  if (!order)
    return write('I am a script, not a model; the desk is real. Ask me about order A-100, A-101 or A-102.');
  const call = (tool: string): Reply => toolUse(`mcp__shop__${tool}`, { order });
  // A call whose worker was killed has no result that counts, so it is made again.
  const said = (tool: string) =>
    answers.findLast(
      ({ name, text: words, isError }) =>
        name.endsWith(tool) && (isError || words.includes(order)) && !words.includes('outcome is unknown'),
    );
  const found = said('look_up_order');
  if (!found) return call('look_up_order');
  if (!found.text.includes('lost')) return write(`${found.text} Is there anything else?`);
  if (!said('search_warehouse')) return call('search_warehouse');
  const refund = said('refund');
  if (!refund) return call('refund');
  if (!refund.isError) return write(`I am sorry: ${order} was lost. ${refund.text} Is there anything else?`);
  return write(`I am sorry: ${order} was lost, and I may not pay it back. ${refund.text}`);
}
