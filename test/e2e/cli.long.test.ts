// The command on both CLIs, without an account, and with a person at the terminal.
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand, collect, type BuiltCommand } from '../../packages/cli/test/built-command.js';
import { useTerminal } from '../../packages/cli/test/use-terminal.js';
import { newCli, oldCli } from './support/cli.js';
import { createIsolatedEnvironment, outcomeOf, text, toolUse } from './support/inboard.js';
import type { IsolatedEnvironment, ModelRequest } from './support/inboard.js';
import { onStage } from './support/stage.js';

const CLIS = [
  { version: newCli.version, cli: newCli, path: newCli.path, status: 'ok' },
  { version: oldCli.version, cli: oldCli, path: oldCli.path, status: 'note' },
];

let command: BuiltCommand;
let home: IsolatedEnvironment;

beforeAll(async () => {
  command = await buildCommand(tmpdir());
  command.link('@modelcontextprotocol', 'zod');
  home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
  command.write(
    'tools.mjs',
    `import { mcpPrompt, mcpResource, tool } from 'inboard';
     export const greet = mcpPrompt('greet', 'Greets', { who: 'string' }, ({ who }) => 'Greet ' + who + '.');
     export const note = mcpResource('note', 'note://{id}', (uri, { id }) => 'Note ' + id, {
       list: () => [{ uri: 'note://1' }],
     });
     const wait = tool('wait', 'Waits', {}, (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)));
     export default [...[1, 2].map((number) => tool('tool_' + number, 'Tool', {}, () => 'ran ' + number)), wait];`,
  );
  command.write(
    'script.mjs',
    `import { text, toolUse } from 'inboard/testing';
     const said = [];
     const next = (reply) => (request) => { said.push(request.toolResults[0].isError ? 'no' : 'yes'); return reply(); };
     export default [
       toolUse('mcp__tools__tool_1'),
       next(() => toolUse('mcp__tools__tool_1')),
       next(() => toolUse('mcp__tools__tool_1')),
       next(() => toolUse('mcp__tools__tool_2')),
       next(() => text('Answers: ' + said.join(' '))),
       toolUse('mcp__tools__wait'),
       text('Still here.'),
     ];`,
  );
  command.write('short.mjs', `import { text } from 'inboard/testing'; export default [text('Short.')];`);
});
afterAll(async () => {
  command.remove();
  await home.remove();
});

describe.each(CLIS)('on CLI $version', ({ version, cli, path, status }) => {
  it('the doctor finds what works, and who is not logged in', async () => {
    const env = { ...home.env, INBOARD_CLI: path };
    const ask = async (changed: Record<string, string | undefined>) => {
      const { code, stdout } = await command.run(['doctor', '--json'], { env: { ...env, ...changed } });
      const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string; detail: string }[] };
      return { code, checks, login: checks.find(({ id }) => id === 'login') };
    };
    const whole = await ask({});
    expect(whole.code).toBe(0);
    expect(whole.login).toMatchObject({ status: 'ok' });
    expect(whole.checks).toContainEqual(
      expect.objectContaining({ id: 'version', status, detail: expect.stringContaining(version) }),
    );

    // A model on this machine may need no account.
    const local = await ask({ ANTHROPIC_API_KEY: undefined });
    expect(local.code).toBe(0);
    expect(local.login).toMatchObject({ status: 'note' });

    const anonymous = await ask({ ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: 'http://model.invalid' });
    expect(anonymous.code).toBe(1);
    expect(anonymous.checks.filter((check) => check.status === 'failed')).toMatchObject([{ id: 'login' }]);
  });

  it('uses the tools that are served to it, over both transports', async () => {
    const child = command.start(['serve', 'tools.mjs', '--http', '--port', '0']);
    const ended = collect(child);
    try {
      if (!child.stdout) throw new Error('no output');
      let url = '';
      for await (const line of createInterface({ input: child.stdout })) {
        url = /http:\S+/.exec(line)?.[0] ?? '';
        break;
      }
      const script = [
        toolUse('mcp__web__tool_1'),
        ({ toolResults }: ModelRequest) => {
          expect(JSON.stringify(toolResults)).toContain('ran 1');
          return toolUse('mcp__pipe__tool_2');
        },
        ({ toolResults }: ModelRequest) => text(JSON.stringify(toolResults)),
      ];
      await onStage(cli, { script }, async ({ start }) => {
        const stdio = { command: process.execPath, args: [command.file, 'serve', 'tools.mjs', '--stdio'] };
        const { query: q } = start('Go.', {
          mcpServers: { web: { type: 'http', url }, pipe: stdio },
          allowedTools: ['mcp__web', 'mcp__pipe'],
          cwd: command.folder,
        });
        await q.ready();
        const answers: string[] = [];
        for await (const message of q) if (message.type === 'result') answers.push(outcomeOf(message).text);
        expect(answers).toEqual([expect.stringContaining('ran 2')]);
      });
    } finally {
      child.kill('SIGTERM');
    }
    expect((await ended).code).toBe(0);
  });

  it('has the prompts that are served to it as commands, and reads the resources', async () => {
    const pipe = { command: process.execPath, args: [command.file, 'serve', 'tools.mjs', '--stdio'] };
    const script = [
      toolUse('ListMcpResourcesTool'),
      toolUse('ReadMcpResourceTool', { server: 'pipe', uri: 'note://2' }),
      text('Greeted.'),
    ];
    await onStage(cli, { script }, async ({ start, model }) => {
      const { query: q } = start('/mcp__pipe__greet Ann', { mcpServers: { pipe }, cwd: command.folder });
      await q.ready();
      const commands: string[] = [];
      for await (const message of q) {
        if (message.type === 'system' && message.subtype === 'init') commands.push(...message.slash_commands);
      }
      expect(commands).toContain('mcp__pipe__greet');
      expect(JSON.stringify(model.conversation[0])).toContain('Greet Ann.');
      const told = model.conversation.flatMap(({ toolResults }) => toolResults.map((each) => each.text));
      expect(told).toEqual([expect.stringContaining('note://1'), expect.stringContaining('Note 2')]);
    });
  });

  it('runs nothing that a folder brings, unless its settings are asked for', async () => {
    const words = ['run', 'tools.mjs', 'Go.', '--yes', '--offline-script', 'short.mjs'];
    const sources = [[], ['--setting-sources', 'user,project,local']];
    const marks: (() => string[])[] = [];
    for (const more of sources) {
      const folder = mkdtempSync(join(command.folder, 'repository-'));
      const touch = (name: string): string => `touch '${join(folder, name)}'`;
      const hook = (name: string): string =>
        JSON.stringify({
          enableAllProjectMcpServers: true,
          hooks: { SessionStart: [{ hooks: [{ type: 'command', command: touch(name) }] }] },
        });
      mkdirSync(join(folder, '.claude'));
      writeFileSync(join(folder, '.claude', 'settings.json'), hook('mark-project'));
      writeFileSync(join(folder, '.claude', 'settings.local.json'), hook('mark-local'));
      const evil = { command: 'sh', args: ['-c', touch('mark-server')] };
      writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { evil } }));
      const ran = await command.run([...words, '--cwd', folder, ...more], {
        env: { ...home.env, INBOARD_CLI: path },
      });
      expect(ran).toMatchObject({ code: 0, stdout: 'Short.\n' });
      marks.push(() => readdirSync(folder).filter((name) => name.startsWith('mark-')));
    }
    const [unasked, asked] = marks;
    // What the folder brings may end a moment after the run; by then the first one had its time as well.
    await expect
      .poll(() => asked?.(), { timeout: 30_000 })
      .toEqual(['mark-local', 'mark-project', 'mark-server']);
    expect(unasked?.()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'a person is asked, answers, interrupts, goes on and leaves',
    async () => {
      const words = ['run', 'tools.mjs', 'Go.', '--allow', 'wait', '--offline-script', 'script.mjs'];
      const { code, stdout } = await useTerminal(command, words, {
        env: { ...home.env, INBOARD_CLI: path },
        steps: [
          ['a(lways): ', 'n\n'],
          ['a(lways): ', 'maybe\n'],
          ['a(lways): ', 'a\n'],
          ['a(lways): ', 'y\n'],
          // The line before, by an arrow key.
          ['you> ', '\u001b[A\r'],
          ['> mcp__tools__wait {}', '\u0003'],
          ['you> ', 'Again\r'],
          ['Still here.', ''],
          ['you> ', '\u0003'],
        ],
      });
      expect(stdout).toContain('Starting the Claude CLI');
      expect(stdout).toContain('Answers: no yes yes yes');
      expect(stdout.match(/wants to run/g)).toHaveLength(3);
      expect(stdout).toContain('you> Go.');
      expect(stdout).toContain('interrupted, ');
      expect(code).toBe(0);
    },
  );

  it.runIf(process.platform === 'linux')('a run with --once ends after the answer', async () => {
    const words = ['run', 'tools.mjs', 'Go.', '--once', '--yes', '--offline-script', 'short.mjs'];
    const { code, stdout } = await useTerminal(command, words, {
      env: { ...home.env, INBOARD_CLI: path },
      steps: [],
    });
    expect(stdout).toContain('Short.');
    expect(stdout).not.toContain('you> ');
    expect(code).toBe(0);
  });
});
