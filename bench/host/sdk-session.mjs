// The same session on an SDK: anything that exports `query`, `tool` and `createSdkMcpServer` as the official one does.

const JSON_SCHEMAS = {
  lookup: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      limit: { type: 'number' },
      fields: { type: 'array', items: { type: 'string' } },
    },
    required: ['id'],
  },
  echo: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
// Shorthand types, which only Inboard has.
const WORDS = {
  lookup: { id: 'string', limit: 'number?', fields: 'string[]?' },
  echo: { text: 'string' },
};

/** The schemas of both tools, written as `kind` says: `zod` (a shape), `json` or `words`. */
export async function loadSchemas({ kind = 'zod', zodUrl }) {
  if (kind !== 'zod') return kind === 'json' ? JSON_SCHEMAS : WORDS;
  const { z } = await import(zodUrl);
  return {
    lookup: { id: z.string(), limit: z.number().optional(), fields: z.array(z.string()).optional() },
    echo: { text: z.string() },
  };
}

/** Runs one prompt to its end on the SDK `sdk`; the same shape as `runBareSession`. */
export function createSdkSession(sdk, schemas) {
  const { query, tool, createSdkMcpServer } = sdk;
  return async (given) => {
    const { cli, env, cwd, answerTool, answerPermission, onMessage, isSlow, isPartial, prompt } = given;
    const options = { pathToClaudeCodeExecutable: cli, env, cwd, ...given.options };
    if (answerTool) {
      const tools = [
        tool('lookup', 'Look an item up', schemas.lookup, async (given) => answerTool('lookup', given)),
        tool('echo', 'Give the text back', schemas.echo, async (given) => answerTool('echo', given)),
      ];
      options.mcpServers = { bench: createSdkMcpServer({ name: 'bench', version: '1.0.0', tools }) };
    }
    if (answerPermission) options.canUseTool = async (name, input) => answerPermission(name, input);
    if (isPartial) options.includePartialMessages = true;
    const messages = query({ prompt: prompt ?? 'go', options });
    if (isSlow) for await (const message of messages) await onMessage(message);
    else for await (const message of messages) onMessage(message);
  };
}
