import { expect, it } from 'vitest';
import { InvalidOptionsError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { nameTools } from '../../../src/live/tooling/name-tools.js';

const greet = tool('greet', 'Greets', { name: 'string' }, ({ name }) => name);
const stranger = tool('greet', 'Greets', { name: 'string' }, ({ name }) => name);
const demo = createSdkMcpServer({ name: 'inner', tools: [greet] });
const outside = { command: 'x' };
const mcpServers = { 'my demo': demo, outside };

it('puts the names the CLI knows in place of tools and servers', () => {
  expect(
    nameTools({ mcpServers, allowedTools: ['Bash(ls *)', greet, demo, outside], disallowedTools: [greet] }),
  ).toMatchObject({
    allowedTools: ['Bash(ls *)', 'mcp__my_demo__greet', 'mcp__my_demo', 'mcp__outside'],
    disallowedTools: ['mcp__my_demo__greet'],
  });
});

it('names a tool in every server that has it', () => {
  const two = createSdkMcpServer({ name: 'two', tools: [greet] });
  expect(nameTools({ mcpServers: { a: demo, b: two }, allowedTools: [greet] }).allowedTools).toEqual([
    'mcp__a__greet',
    'mcp__b__greet',
  ]);
});

it('refuses an object that belongs to no server of the query', () => {
  for (const entry of [stranger, createSdkMcpServer({ name: 'other' })]) {
    const attempt = (): unknown => nameTools({ mcpServers, allowedTools: [entry] });
    expect(attempt).toThrow(InvalidOptionsError);
    expect(attempt).toThrow(/allowedTools.*mcpServers/);
  }
});

it('leaves what is no list for the check of the options', () => {
  const options = { allowedTools: 'Bash' } as never;
  expect(nameTools(options)).toEqual({ allowedTools: 'Bash' });
});
