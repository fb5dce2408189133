// What each host does: one query with a tool in this process, on the CLI that is found or named, and what came of it.
import { createSdkMcpServer, query, tool } from 'inboard';

const asked = [];
const double = tool('double', 'Doubles a number', { n: 'number' }, ({ n }) => {
  asked.push(n);
  return String(2 * n);
});
const math = createSdkMcpServer({ name: 'math', tools: [double] });

/** The answer of one query, and what the tool was given since the last one. */
export async function ask(options = {}) {
  let answer;
  for await (const message of query({
    prompt: 'Double 21.',
    options: { settingSources: [], mcpServers: { math }, allowedTools: [math], ...options },
  }))
    if (message.type === 'result') answer = message.result;
  return { answer, asked: asked.splice(0) };
}
