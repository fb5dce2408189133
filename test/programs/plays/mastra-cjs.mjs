// The Mastra agent, taken by `require`: an answer, a stream, a tool of the SDK's own, a session gone on with.
export const answer =
  ({ text, toolUse }) =>
  ({ userText, toolResults }) => {
    if (toolResults.length > 0) return text(`The weather: ${toolResults[0].text}`);
    if (userText.includes('weather')) return toolUse('mcp__weather__look', { city: 'Bern' });
    return text(userText.includes('And then?') ? 'Then this.' : 'Hello from the model.');
  };

export async function play({ require, home, cli }) {
  const { ClaudeSDKAgent } = require('@mastra/claude');
  const { createSdkMcpServer, tool } = require('@anthropic-ai/claude-agent-sdk');
  const { z } = require('zod');
  const look = tool('look', 'Looks out of the window', { city: z.string() }, async ({ city }) => ({
    content: [{ type: 'text', text: `sunny in ${city}` }],
  }));
  const sdkOptions = {
    pathToClaudeCodeExecutable: cli,
    cwd: home.cwd,
    env: home.env,
    mcpServers: { weather: createSdkMcpServer({ name: 'weather', version: '1.0.0', tools: [look] }) },
    allowedTools: ['mcp__weather__look'],
  };
  const agent = new ClaudeSDKAgent({ id: 'claude', description: 'An agent', sdkOptions });
  const first = await agent.generate('Say hello.');
  const weather = await agent.generate('What is the weather like?');
  const stream = await agent.stream('Say hello.');
  const kinds = new Set();
  let said = '';
  for await (const chunk of stream.fullStream) {
    kinds.add(chunk.type);
    if (chunk.type === 'text-delta') said += chunk.payload.text;
  }
  const continued = await agent.generate('And then?', { sdkOptions: { continue: true } });
  return {
    text: first.text,
    finish: first.finishReason,
    weather: weather.text,
    streamed: said,
    kinds: [...kinds].map(String).toSorted(),
    continued: continued.text,
  };
}
