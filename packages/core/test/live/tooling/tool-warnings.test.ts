// A call that the CLI refuses because there is no one to allow it: the program gets a warning, once for each tool, unless it is meant.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer, openSession, tool, type QueryOptions } from '@inboard/inboard/index.js';
import { createFakeCli, text, toolUse } from '@inboard/inboard/testing.js';

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [tool('count', 'Counts', { article: 'string' }, () => 7)],
});

/** Plays two turns in which the model calls the tool, and gives the warnings. */
async function listen(options: QueryOptions): Promise<string[]> {
  const call = toolUse('mcp__shop__count', { article: 'apples' });
  await using fake = createFakeCli([call, text('Hm.'), call, text('Hm.')]);
  const warnings: string[] = [];
  await using session = openSession({
    options: {
      transport: fake.transport,
      mcpServers: { shop },
      onWarning: ({ code, message }) => warnings.push(`${code}: ${message}`),
      ...options,
    },
  });
  await session.send('How many?').text();
  await session.send('How many now?').text();
  return warnings;
}

describe('a refused call of a tool of this process', () => {
  it('is told once, with what to do', async () => {
    const [warning, ...more] = await listen({});
    expect(more).toEqual([]);
    expect(warning).toMatch(/^TOOL_NOT_ALLOWED: The model called mcp__shop__count and the CLI refused/);
    expect(warning).toContain('Add "mcp__shop__count" to "allowedTools", or pass a "canUseTool"');
  });

  it.each<[string, QueryOptions]>([
    ['a callback decides', { canUseTool: async () => ({ behavior: 'deny', message: 'No.' }) }],
    ['nobody is to be asked', { permissionMode: 'dontAsk' }],
    ['it is allowed', { allowedTools: [shop] }],
  ])('is not told where %s', async (_what, options) => {
    expect(await listen(options)).toEqual([]);
  });
});
