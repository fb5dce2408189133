// docs/editors.md: its settings start an agent, and the options it names exist.
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../packages/cli/src/commands.js';
import { buildCommand, type BuiltCommand } from '../../packages/cli/test/built-command.js';
import { readCodeBlocks } from '../package/code-blocks.js';
import { readProjectFile } from '../package/project.js';

const page = readProjectFile('docs/editors.md');
const blocks = readCodeBlocks(page);

let command: BuiltCommand;
beforeAll(async () => {
  command = await buildCommand(tmpdir());
  command.link('jiti', '@agentclientprotocol', 'zod');
}, 60_000);
afterAll(() => command.remove());

describe('the page about editors', () => {
  it('names the options that there are', () => {
    const named = Array.from(page.matchAll(/^\| `--([\w-]+)/gm), ([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(COMMANDS['acp']?.options ?? {})));
  });

  it('installs packages that are known here', () => {
    const [install] = blocks.filter(({ language }) => language === 'sh');
    const { name, peerDependencies, devDependencies } = JSON.parse(readProjectFile('package.json')) as {
      name: string;
      peerDependencies: object;
      devDependencies: object;
    };
    const known = new Set([name, ...Object.keys({ ...peerDependencies, ...devDependencies })]);
    const [npm, verb, ...packages] = install?.code.trim().split(' ') ?? [];
    expect([npm, verb]).toEqual(['npm', 'install']);
    expect(packages.filter((one) => !known.has(one))).toEqual([]);
  });

  it('has settings that start an agent with the tools of the page', async () => {
    const [settings] = blocks.filter(({ language }) => language === 'json');
    const { agent_servers: agents } = JSON.parse(settings?.code ?? '') as {
      agent_servers: Record<string, { type: string; command: string; args: string[] }>;
    };
    const [agent] = Object.values(agents);
    expect(agent).toMatchObject({
      type: 'custom',
      command: expect.stringMatching(/\.bin\/inboard$/) as string,
    });
    const tools = blocks.find(({ code }) => code.startsWith('// tools.ts'));
    const file = command.write('tools.ts', tools?.code ?? '');
    const args = agent?.args.map((word) => (word.endsWith('/tools.ts') ? file : word)) ?? [];
    expect(args).toContain(file);
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };
    const ran = await command.run(args, { input: `${JSON.stringify(hello)}\n` });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 1, result: { agentInfo: { name: 'shop' } } });
  });
});
