// A real CLI for one cell, offline: its own home, and a model that makes its calls in one message and never makes one again that it can see.
import { fileURLToPath } from 'node:url';

const CLIS = {
  '2.1.325': {},
  '2.1.33': {
    pathToClaudeCodeExecutable: fileURLToPath(
      new URL('../../../node_modules/claude-code-2.1.33/cli.js', import.meta.url),
    ),
  },
};
/** What the model reads where a CLI cannot show a call: it knows then that it has made one. */
const MENTION = 'These calls were under way';

/** Opens it; whoever did closes it. */
export async function openReal(cell, { entryPoints }) {
  const testing = await import(`${entryPoints}/testing.js`);
  const { createIsolatedEnvironment, reply, startScriptedModel, text, toolUse } = testing;
  const calls = Array.from({ length: cell.calls }, (_, call) =>
    toolUse('mcp__shop__pay', { k: 'a', n: 1, call }),
  );
  const answer = ({ messages }) => {
    const blocks = messages.flatMap(blocksOf);
    const hasCalled = blocks.some(
      ({ type, text: said = '' }) => type === 'tool_use' || said.includes(MENTION),
    );
    return hasCalled ? text('done a 1') : reply(...calls);
  };
  const model = await startScriptedModel({ onExhausted: answer });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  return {
    real: {
      options: { ...CLIS[cell.cli], env: home.env, cwd: home.cwd, settingSources: [] },
      requests: () => model.conversation.map(({ body }) => readRequest(body.messages)),
    },
    async close() {
      await model.close({ verify: false });
      await home.remove();
    },
  };
}

const blocksOf = ({ content }) =>
  Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];

const textOf = (content) =>
  Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : String(content);

/** A request, as the judge reads it. */
function readRequest(messages) {
  const blocks = messages.flatMap(blocksOf);
  const prompts = blocks.filter(({ type, text = '' }) => type === 'text' && text.includes('chaos {')).length;
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, input }) => ({
      id,
      call: input.call,
      results: blocks.filter((block) => block.tool_use_id === id).map(({ content }) => textOf(content)),
    }));
  return { prompts, calls };
}
