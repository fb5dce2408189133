// An agent with the real CLI and a scripted model, which asks a person before its tool runs, and which can be broken: it then fails in
// each attempt. What the checks of the engines share.
import { createSdkMcpServer, tool } from 'inboard';
import { startOffline, text, toolUse } from 'inboard/testing';
import { waitUntil } from '../../support/wait-until.js';

export const PROMPT = 'Refund order 7';
export const ANSWER = 'The order is done.';
const PATIENCE_MS = 60_000;

export async function createBreakableAgent() {
  const offline = await startOffline({
    onExhausted: ({ messages }) =>
      JSON.stringify(messages).includes('"tool_result"')
        ? text(ANSWER)
        : toolUse('mcp__shop__refund', { order: '7' }),
  });
  /** `breaks` is thrown by each attempt, `onMessage` counts messages by their uuids. */
  const facts = { breaks: undefined, attempts: 0, effects: 0, messages: [] };
  const refund = tool({
    name: 'refund',
    description: 'Refunds an order.',
    inputSchema: { order: 'string' },
    run: ({ order }) => {
      facts.effects += 1;
      return `refunded ${order}`;
    },
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [refund], alwaysLoad: true });
  const support = () => {
    facts.attempts += 1;
    if (facts.breaks) throw facts.breaks;
    return { ...offline.options, mcpServers: { shop }, permissionMode: 'default' };
  };
  const onMessage = ({ type, uuid }, turn) => {
    facts.messages.push({ type, uuid, turn: turn.id, conversation: turn.conversation });
  };
  return { facts, support, onMessage, close: () => offline.close({ verify: false }) };
}

/** Resolves with what `read` returns, once that is something. */
export async function until(read, what) {
  let found;
  await waitUntil(
    async () => {
      found = await read();
      return found !== undefined && found !== false;
    },
    PATIENCE_MS,
    what,
  );
  return found;
}
