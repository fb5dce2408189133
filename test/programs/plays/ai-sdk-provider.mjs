// The Claude provider of the AI SDK: text, a stream, an object by schema, an in-process tool, a session gone on with.
export const answer =
  ({ text, toolUse }) =>
  ({ userText, toolNames, toolResults }) => {
    if (toolResults.length > 0 && userText.includes('Add')) return text(`Sum: ${toolResults[0].text}`);
    if (userText.includes('Add two and three')) return toolUse('mcp__sums__add', { a: 2, b: 3 });
    if (toolNames.includes('StructuredOutput')) {
      if (toolResults.length > 0) return text('Done.');
      return toolUse('StructuredOutput', { name: 'Ada', age: 36 });
    }
    return text(userText.includes('And then?') ? 'Then this.' : 'Hello from the model.');
  };

export async function play({ load, home, cli }) {
  const { generateObject, generateText, streamText } = await load('ai');
  const { createClaudeCode, createCustomMcpServer } = await load('ai-sdk-provider-claude-code');
  const { z } = await load('zod');
  const settings = { pathToClaudeCodeExecutable: cli, cwd: home.cwd, env: home.env };
  const provider = createClaudeCode({ defaultSettings: settings });
  const first = await generateText({ model: provider('sonnet'), prompt: 'Say hello.' });
  const sessionId = first.providerMetadata?.['claude-code']?.sessionId;
  const resumed = await generateText({
    model: provider('sonnet', { resume: sessionId }),
    prompt: 'And then?',
  });
  const streamed = streamText({ model: provider('sonnet'), prompt: 'Say hello.' });
  const kinds = new Set();
  let said = '';
  for await (const part of streamed.fullStream) {
    kinds.add(part.type);
    if (part.type === 'text-delta') said += part.text;
  }
  const object = await generateObject({
    model: provider('sonnet'),
    schema: z.object({ name: z.string(), age: z.number() }),
    prompt: 'Who?',
  });
  const sums = createCustomMcpServer({
    name: 'sums',
    tools: {
      add: {
        description: 'Adds',
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        handler: async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
      },
    },
  });
  const summed = await generateText({
    model: provider('sonnet', { mcpServers: { sums }, allowedTools: ['mcp__sums__add'] }),
    prompt: 'Add two and three.',
  });
  const controller = new AbortController();
  controller.abort(new Error('enough'));
  const aborted = await generateText({
    model: provider('sonnet'),
    prompt: 'Say hello.',
    abortSignal: controller.signal,
  }).then(
    () => 'went on',
    (error) => error.message,
  );
  return {
    text: first.text,
    finish: first.finishReason,
    usage: first.usage.inputTokens !== undefined,
    resumed: resumed.text,
    isSameSession: resumed.providerMetadata?.['claude-code']?.sessionId === sessionId,
    streamed: said,
    kinds: [...kinds].map(String).toSorted(),
    object: object.object,
    summed: summed.text,
    aborted,
  };
}
