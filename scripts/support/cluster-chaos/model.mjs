// The model of a chaos run on the real CLI: does what the last message says, and makes a call again whose outcome is unknown.

/** Starts it; `delayMs` is how long each answer takes. */
export async function startModel({ entryPoints, delayMs, onRequest }) {
  const { delayed, startScriptedModel, text, toolUse } = await import(`${entryPoints}/testing.js`);
  const answer = (context) => {
    onRequest(context.sessionId);
    const { plan, done } = readTurn(context.messages);
    if (plan === undefined) return text('Nothing to do.');
    if (done >= (plan.calls ?? 1)) return delayed(text(`done ${plan.k} ${plan.n}`), delayMs);
    const name = plan.ask && done === 0 ? 'pay' : 'work';
    return delayed(toolUse(`mcp__shop__${name}`, { k: plan.k, n: plan.n, call: done }), delayMs);
  };
  return await startScriptedModel({ onExhausted: answer });
}

const blocksOf = ({ content }) =>
  Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];

/** The last message of the user, and how many of its calls have ended. */
function readTurn(messages) {
  const at = messages.findLastIndex((message) => message.role === 'user' && findPlan(message) !== undefined);
  if (at === -1) return { done: 0 };
  const results = messages
    .slice(at + 1)
    .flatMap(blocksOf)
    .filter(({ type }) => type === 'tool_result');
  const done = results.filter((block) => !JSON.stringify(block).includes('interrupted')).length;
  return { plan: findPlan(messages[at]), done };
}

function findPlan(message) {
  const found = blocksOf(message).find((block) => block.type === 'text' && block.text.includes('chaos {'));
  if (!found) return undefined;
  const from = found.text.lastIndexOf('chaos {') + 'chaos '.length;
  return JSON.parse(found.text.slice(from, found.text.indexOf('}', from) + 1));
}
