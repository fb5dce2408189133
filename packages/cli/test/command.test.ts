// The command as a process: what it says, what it loads, and how it ends.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../test/package/project.js';
import { expectTame, HOSTILE_TEXT } from '../../../test/support/hostile-text.js';
import { useTerminal } from './use-terminal.js';
import { buildCommand, collect, type BuiltCommand } from './built-command.js';

const TOOLS = `
import { createSdkMcpServer, tool } from 'inboard';
const stock = new Map([['apples', 7]]);
export const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('count', 'How many of an article are in stock', { article: 'string' }, ({ article }) => stock.get(article) ?? 0),
    tool('slow', 'Takes two steps', {}, async (_, extra) => {
      extra.progress({ progress: 1, total: 2, message: 'half' });
      extra.log('warning', 'careful');
      return { done: true };
    }),
    tool('fail', 'Always fails', {}, () => {
      throw new Error('It broke.');
    }),
  ],
});
`;

let command: BuiltCommand;

beforeAll(async () => {
  command = await buildCommand(tmpdir());
  command.link('jiti', '@modelcontextprotocol', 'zod');
  command.write('tools.mjs', TOOLS);
}, 60_000);
afterAll(() => command.remove());

describe('the command line', () => {
  it('gives help on the output, and on the standard error when nothing was asked', async () => {
    const [help, nothing] = await Promise.all([command.run(['--help']), command.run([])]);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/demo[\s\S]*doctor[\s\S]*run[\s\S]*call[\s\S]*tools[\s\S]*serve[\s\S]*trace/);
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
    expect(nothing.stderr).toBe(help.stdout);
  });

  it('takes a reader that goes away for no error', async () => {
    command.write(
      'chatty.mjs',
      `import { tool } from 'inboard';
      for (let line = 0; line < 300; line += 1) console.log('x'.repeat(1000));
      export default tool('a', 'A', {}, () => 1);`,
    );
    const child = command.start(['tools', 'chatty.mjs']);
    child.stdout?.destroy();
    expect(await collect(child)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a file that cannot be loaded', () => {
  it.each([['call', 'x'], ['tools'], ['run', 'Hi'], ['serve', '--stdio']])(
    'ends %s with 1 when its top-level await never settles',
    async (name, ...more) => {
      command.write('hangs.mjs', 'await new Promise(() => {});');
      const { code, stdout, stderr } = await command.run([name, 'hangs.mjs', ...more]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/inboard: .*hangs\.mjs could not be loaded: it waits with a top-level await/);
    },
  );

  it('is named with the line of a syntax error, and without frames of others', async () => {
    command.write('wrong.mjs', 'export const a = 1;\nexport const b = (1 +;\n');
    const { code, stderr } = await command.run(['tools', 'wrong.mjs']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/wrong\.mjs could not be loaded: SyntaxError: Unexpected token ';'\n/);
    expect(stderr).toMatch(/wrong\.mjs:2\nexport const b = \(1 \+;\n/);
    expect(stderr).not.toMatch(/node:internal|node_modules/);
  });

  it('says that a syntax error is in a file which it imports', async () => {
    command.write('inner.mjs', 'export const = 1;\n');
    command.write('outer.mjs', "import './inner.mjs';\n");
    const { code, stderr } = await command.run(['tools', 'outer.mjs']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/SyntaxError: .*\n.*not in this file itself, but in one that it imports/);
    expect(stderr).not.toMatch(/node:internal/);
  });

  it('shows where it throws, and no frames of this package', async () => {
    command.write('throws.mjs', 'const fail = () => {\n  throw new Error("boom");\n};\nfail();\n');
    const { code, stderr } = await command.run(['tools', 'throws.mjs']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Error: boom\n\s+at fail \(.*throws\.mjs:2:\d+\)\n\s+at .*throws\.mjs:4:1\n/);
    expect(stderr).not.toMatch(/node:internal|node_modules/);
  });
});

describe('init', () => {
  // A shell can limit how large a file may become. Writing then fails in the middle of a file, as on a full disk.
  it.runIf(process.platform !== 'win32')('leaves nothing when a file cannot be written whole', async () => {
    const line = 'ulimit -f 1; exec "$0" "$@"';
    const child = spawn('/bin/sh', ['-c', line, process.execPath, command.file, 'init', 'limited'], {
      cwd: command.folder,
      env: { PATH: process.env['PATH'] },
    });
    const { code, stderr } = await collect(child);
    expect(code).toBe(1);
    expect(stderr).toMatch(/limited was not written: EFBIG.*Nothing was left behind\./);
    expect(existsSync(join(command.folder, 'limited'))).toBe(false);
  });

  it('asks nothing where its input is a pipe', async () => {
    const { code, stdout, stderr } = await command.run(['init', 'piped'], { input: 'tools\njs\n' });
    expect([code, stdout]).toEqual([0, 'cd piped && npm install && npm test\n']);
    expect(stderr).toContain('src/agent.ts');
  });

  describe.runIf(process.platform === 'linux')('at a terminal', () => {
    it('asks, and writes what it is told', async () => {
      const { code, stdout } = await useTerminal(command, ['init'], {
        steps: [
          ['(agent): ', 'agents\n'],
          ['There is no template "agents".', ''],
          ['(agent): ', '1\n'],
          ['(ts): ', 'js\n'],
          ['(my-agent): ', 'asked\n'],
        ],
      });
      expect([code, stdout]).toEqual([0, expect.stringContaining('cd asked && npm install && npm test')]);
      expect(existsSync(join(command.folder, 'asked', 'src', 'agent.js'))).toBe(true);
    });

    it.each([
      ['Ctrl-C', '\u0003', 130],
      ['Ctrl-D', '\u0004', 1],
    ])('ends with %s at a question, and writes nothing', async (_, key, expected) => {
      const { code, stdout } = await useTerminal(command, ['init'], {
        steps: [
          ['(agent): ', 'chat\n'],
          ['(my-chat): ', key],
        ],
      });
      expect(stdout).toContain('Nothing was written.');
      expect(stdout).not.toMatch(/\n\s+at /);
      expect(code).toBe(expected);
      expect(existsSync(join(command.folder, 'my-chat'))).toBe(false);
    });

    it('asks nothing in CI', async () => {
      const { code, stdout } = await useTerminal(command, ['init', 'in-ci'], {
        steps: [],
        env: { CI: 'true' },
      });
      expect([code, stdout]).toEqual([0, expect.stringContaining('cd in-ci && npm install')]);
    });
  });
});

describe('remote serve', () => {
  it.each([
    ['--cwd', /^inboard: The working directory .*nowhere \(--cwd\) does not exist\.\n/],
    ['--folder', /^inboard: The working directory .*nowhere \(--folder\) does not exist\.\n/],
    ['--cli', /^inboard: --cli .*nowhere, which does not exist/],
  ])('does not listen with a %s that there is not', async (flag, message) => {
    const env = { REMOTE_TOKEN: 'a-token-for-this-test' };
    const path = join(command.folder, 'nowhere');
    const args = ['remote', 'serve', '--port', '0', '--token-env', 'REMOTE_TOKEN', flag, path];
    const { code, stdout, stderr } = await command.run(args, { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});

describe('call', () => {
  it('prints content, and nothing else, on the output', async () => {
    const [byName, byFullName, fromInput, steps] = await Promise.all([
      command.run(['call', 'tools.mjs', 'count', '{"article":"apples"}']),
      command.run(['call', 'tools.mjs', 'mcp__shop__count', '{"article":"pears"}']),
      command.run(['call', 'tools.mjs', 'count', '-'], { input: '{"article":"apples"}' }),
      command.run(['call', 'tools.mjs', 'slow']),
    ]);
    expect(byName).toEqual({ code: 0, stdout: '7\n', stderr: '' });
    expect(byFullName.stdout).toBe('0\n');
    expect(fromInput.stdout).toBe('7\n');
    expect(steps).toEqual({
      code: 0,
      stdout: '{"done":true}\n',
      stderr: 'progress 1/2 half\nwarning: careful\n',
    });
  });

  it('ends with 1 for a failure, wrong arguments and an unknown tool', async () => {
    const [failed, wrong, unknown, asJson] = await Promise.all([
      command.run(['call', 'tools.mjs', 'fail']),
      command.run(['call', 'tools.mjs', 'count', '{"article":3}']),
      command.run(['call', 'tools.mjs', 'cuont']),
      command.run(['call', 'tools.mjs', 'fail', '--json']),
    ]);
    expect(failed).toEqual({ code: 1, stdout: '', stderr: 'It broke.\n' });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('article: Expected string');
    expect(unknown.stderr).toContain('Did you mean "count"?');
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ isError: true, content: [{ text: 'It broke.' }] });
  });
});

describe('tools', () => {
  it('shows what the model will see, and doubts', async () => {
    command.write(
      'doubtful.mjs',
      `import { tool } from 'inboard';
      const big = Object.fromEntries(Array.from({ length: 400 }, (_, index) => ['field_' + index, 'string']));
      export default [
        tool('a b', 'Spaced', {}, () => 1),
        tool('a_b', '', {}, () => 1),
        tool('x'.repeat(70), 'Long', {}, () => 1),
        tool('big', 'Big', big, () => 1),
        // As zod has it, which the official SDK takes.
        tool('odd', 'Cannot be converted', { when: { _zod: { def: { type: 'date' } } } }, () => 1),
      ];`,
    );
    const [shown, asJson] = await Promise.all([
      command.run(['tools', 'tools.mjs']),
      command.run(['tools', 'doubtful.mjs', '--json', '--strict']),
    ]);
    expect(shown.stdout).toMatch(
      /^mcp__shop__count\(article: string\)\n {2}How many[\s\S]*\nmcp__shop__slow\(\)\n/,
    );
    const { servers, tools, warnings } = JSON.parse(asJson.stdout) as {
      servers: unknown[];
      tools: { toolName: string }[];
      warnings: { code: string; tool?: string }[];
    };
    expect(servers).toEqual([{ name: 'doubtful', kind: 'inboard' }]);
    expect(tools.map(({ toolName }) => toolName)).not.toContain('mcp__doubtful__odd');
    expect(warnings.map(({ code, tool }) => [code, tool?.slice(0, 20)])).toEqual([
      ['CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE', undefined],
      ['NAME_REWRITTEN', 'mcp__doubtful__a_b'],
      ['DUPLICATE_NAME', 'mcp__doubtful__a_b'],
      ['NO_DESCRIPTION', 'mcp__doubtful__a_b'],
      ['NAME_TOO_LONG', 'mcp__doubtful__xxxxx'],
      ['SCHEMA_LARGE', 'mcp__doubtful__big'],
    ]);
    expect(asJson.code).toBe(1);
  });
});

describe('a tools file', () => {
  const one = `tool('one', 'One', {}, () => 1)`;
  it.each([
    ['default.mts', `import { tool } from 'inboard'; export default ${one};`, ['mcp__default__one']],
    ['list.js', `import { tool } from 'inboard'; export const tools = [${one}];`, ['mcp__list__one']],
    [
      'common.cjs',
      `const { createSdkMcpServer, tool } = require('inboard');
       exports.a = createSdkMcpServer({ name: 'a', tools: [${one}] });
       exports.again = exports.a.instance;`,
      ['mcp__a__one'],
    ],
    [
      'servers.mjs',
      `import { createSdkMcpServer, tool } from 'inboard';
       const a = createSdkMcpServer({ name: 'a', tools: [${one}] });
       const b = createSdkMcpServer({ name: 'b', tools: [${one}] });
       export const mcpServers = { a, b };
       export const loose = { name: 'plain', description: 'Plain', run: () => 1 };`,
      ['mcp__a__one', 'mcp__b__one', 'mcp__servers__plain'],
    ],
    [
      'both.mjs',
      `import { createSdkMcpServer, tool } from 'inboard';
       export const one = ${one};
       export const all = [one];
       export const shop = createSdkMcpServer({ name: 'shop', tools: all });
       export const other = tool('one', 'Another', {}, () => 2);`,
      ['mcp__shop__one', 'mcp__both__one'],
    ],
    [
      'version-one.ts',
      `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
       const server: McpServer = new McpServer({ name: 'v1', version: '1.0.0' });
       server.registerTool('one', { description: 'One' }, async () => ({ content: [] }));
       export default server;`,
      ['mcp__v1__one'],
    ],
    [
      'version-two.ts',
      `import { McpServer } from '@modelcontextprotocol/server';
       const server: McpServer = new McpServer({ name: 'v2', version: '1.0.0' });
       server.registerTool('one', { description: 'One' }, async () => ({ content: [] }));
       export default server;`,
      ['mcp__v2__one'],
    ],
    // What Node's own type stripping leaves to jiti.
    [
      'enums.ts',
      `import { tool } from 'inboard';
       import { name } from './other.js';
       enum Colour { Red = 'red' }
       export default tool(name, Colour.Red, {}, () => 1);`,
      ['mcp__enums__other'],
    ],
  ])('may be %s', async (name, text, expected) => {
    command.write('other.ts', `export const name: string = 'other';`);
    command.write(name, text);
    const { stdout, stderr } = await command.run(['tools', name, '--json']);
    expect(stderr).toBe('');
    const { tools } = JSON.parse(stdout) as { tools: { toolName: string }[] };
    expect(tools.map(({ toolName }) => toolName)).toEqual(expected);
  });

  it.each([
    ['missing.ts', undefined, 'does not exist'],
    ['tools.json', '{}', 'does not have the extension of a module'],
    ['empty.ts', 'export const a = 1;', 'exports no tools (its exports: a)'],
    ['throws.ts', `throw new Error('Not today');`, 'Not today'],
    ['broken.ts', 'export default {', 'could not be loaded'],
    [
      'twice.mjs',
      `import { createSdkMcpServer } from 'inboard';
       export const a = createSdkMcpServer({ name: 'a' });
       export const b = createSdkMcpServer({ name: 'a' });`,
      'Two servers are named "a"',
    ],
  ])('that is wrong (%s) is named with the reason', async (name, text, reason) => {
    if (text !== undefined) command.write(name, text);
    const ran = await command.run(['tools', name]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(name.startsWith('twice') ? '' : name);
    expect(ran.stderr).toContain(reason);
  });

  // Where the project has a copy of its own, as with a command that is installed for the whole machine.
  it.each(['one.ts', 'one.mjs', 'one.cjs'])('in %s gets the copy of the package that runs', async (name) => {
    const project = mkdtempSync(join(tmpdir(), 'inboard-second-copy-'));
    try {
      cpSync(join(command.folder, 'node_modules', 'inboard'), join(project, 'node_modules', 'inboard'), {
        recursive: true,
      });
      symlinkSync(join(PROJECT_ROOT, 'node_modules', 'jiti'), join(project, 'node_modules', 'jiti'));
      const other = join(project, 'node_modules', 'inboard', 'dist', 'entry', 'index.js');
      const text = `
        ${
          name.endsWith('.cjs')
            ? `const { createSdkMcpServer, InboardError, tool } = require('inboard');
               const { text } = require('inboard/testing');
               const other = require(${JSON.stringify(other)});
               module.exports =`
            : `import { createSdkMcpServer, InboardError, tool } from 'inboard';
               import { text } from 'inboard/testing';
               import * as other from ${JSON.stringify(other)};
               export default`
        } createSdkMcpServer({
          name: 'one',
          tools: [tool('same', text('').blocks[0].type, {}, () => InboardError === other.InboardError)],
        });`;
      const file = command.write(`../${project.split('/').at(-1)}/${name}`, text);
      const [listed, called] = await Promise.all([
        command.run(['tools', file, '--json'], { cwd: project }),
        command.run(['call', file, 'same'], { cwd: project }),
      ]);
      // Known by `instanceof`: with a second copy it would be a foreign server.
      expect(listed.stderr).toBe('');
      expect(JSON.parse(listed.stdout)).toMatchObject({ servers: [{ name: 'one', kind: 'inboard' }] });
      expect(called.stdout).toBe('false\n');
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  });
});

describe('what is not installed', () => {
  it('is named with the command that installs it', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'inboard-bare-'));
    try {
      cpSync(join(command.folder, 'node_modules', 'inboard'), join(bare, 'node_modules', 'inboard'), {
        recursive: true,
      });
      const file = command.write(`../${bare.split('/').at(-1)}/tools.ts`, TOOLS);
      const main = join(bare, 'node_modules', 'inboard', 'dist', 'cli', 'main.js');
      const start = (...args: string[]) => collect(spawn(process.execPath, [main, ...args], { cwd: bare }));
      const [typescript, serve, editor] = await Promise.all([
        start('tools', file),
        start('serve', file, '--http', '--port', '0'),
        start('acp', file),
      ]);
      if (!('typescript' in process.features)) {
        expect(typescript.stderr).toContain('npm install --save-dev jiti');
        expect(typescript.code).toBe(1);
      }
      expect(serve).toMatchObject({ code: 1, stdout: '' });
      expect(serve.stderr).toContain('npm install @modelcontextprotocol/server');
      expect(editor).toMatchObject({ code: 1, stdout: '' });
      expect(editor.stderr).toContain('npm install @agentclientprotocol/sdk@^2.4.0 zod');
    } finally {
      rmSync(bare, { recursive: true, force: true });
    }
  });
});

describe('serve', () => {
  it('keeps the output pure in --stdio mode, and ends with its input', async () => {
    command.write(
      'loud.mjs',
      `import { tool } from 'inboard';
       console.log('loading');
       process.stdout.write('raw\\n');
       export default tool('shout', 'Shouts', {}, () => { console.log('calling'); return 'done'; });`,
    );
    const child = command.start(['serve', 'loud.mjs', '--stdio']);
    const ended = collect(child);
    const say = (message: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    say({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    });
    say({ method: 'notifications/initialized' });
    say({ id: 1, method: 'tools/call', params: { name: 'shout' } });
    if (!child.stdout) throw new Error('no output');
    for await (const line of createInterface({ input: child.stdout })) {
      if ((JSON.parse(line) as { id?: number }).id === 1) break;
    }
    child.stdin?.end();
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(stderr).toBe('loading\nraw\ncalling\n');
  });

  it.each([
    ['watched.mjs', 'import { word } from "./part.mjs";', 'part.mjs', 'export const word ='],
    ['watched.ts', 'import { word } from "./part-of.js";', 'part-of.ts', 'export const word: string ='],
    ['watched.cjs', 'const { word } = require("./part.cjs");', 'part.cjs', 'exports.word ='],
  ])('loads %s again when a file of it changes, unless that fails', async (name, link, part, start) => {
    const isCommon = name.endsWith('.cjs');
    const write = (tools: string): string =>
      command.write(
        name,
        `${isCommon ? 'const { tool } = require("inboard");' : 'import { tool } from "inboard";'} ${link}
         ${isCommon ? 'module.exports =' : 'export default'} [${tools}];`,
      );
    command.write(part, `${start} 'one';`);
    write(`tool('say', 'Says', {}, () => word)`);
    const client = openClient(command.start(['serve', name, '--stdio', '--watch', '--verbose']));
    expect(await client.call('say')).toBe('one');
    await client.noted('tools/call say -> ok (one) in ');

    command.write(part, `${start} 'two';`);
    await client.told('notifications/tools/list_changed');
    expect(await client.call('say')).toBe('two');

    write(`tool('say', 'Says', {}, () => { throw`);
    await client.noted('Not reloaded; the tools stay as they were: ');
    expect(await client.call('say')).toBe('two');

    write(`tool('say', 'Says', {}, () => word), tool('shout', 'Shouts', {}, () => word + '!')`);
    await client.told('notifications/tools/list_changed');
    expect(await client.call('shout')).toBe('two!');
    await client.call('none');
    await client.noted('tools/call none -> refused -32602: Unknown tool: "none"');
    expect((await client.end()).code).toBe(0);
  });

  it.each([
    ['where others than this machine could ask', ['--host', '0.0.0.0'], {}],
    ['where it is told to', ['--token', 'auto'], {}],
    ['where the environment says so', [], { INBOARD_SERVE_TOKEN: 'auto' }],
  ])('makes up a token, and wants it, %s', async (_where, args, env) => {
    const child = command.start(['serve', 'tools.mjs', '--http', '--port', '0', ...args], { env });
    const ended = collect(child);
    if (!child.stdout) throw new Error('no output');
    let url = '';
    let token = '';
    for await (const line of createInterface({ input: child.stdout })) {
      url ||= /http:\S+/.exec(line)?.[0].replace('0.0.0.0', '127.0.0.1') ?? '';
      token = /Bearer (\S{32})$/.exec(line)?.[1] ?? '';
      if (token !== '') break;
    }
    const ask = async (authorization: string) => (await fetch(url, { headers: { authorization } })).status;
    expect(await ask('Bearer guess')).toBe(401);
    // Let in, and told that this is no way to begin a session.
    expect(await ask(`Bearer ${token}`)).not.toBe(401);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });

  it('gives the tools of a file the context that it has for the client, or none of its tools', async () => {
    command.write(
      'own.mjs',
      `import { tool } from 'inboard';
      export function toolContext(client) {
        const user = process.env.TOOL_USER;
        return user && { user, via: client.via };
      }
      export default tool('say', 'Says who', {}, (_, { context }) => context.user + ' by ' + context.via);`,
    );
    const client = openClient(command.start(['serve', 'own.mjs', '--stdio'], { env: { TOOL_USER: 'ann' } }));
    const [served, called, refused, both] = await Promise.all([
      client.call('say'),
      command.run(['call', 'own.mjs', 'say'], { env: { TOOL_USER: 'bob' } }),
      command.run(['serve', 'own.mjs', '--stdio']),
      command.run(['serve', 'own.mjs', '--http', '--port', '0', '--token', 'abc']),
    ]);
    expect((await client.end()).code).toBe(0);
    expect(served).toBe('ann by stdio');
    expect(called).toMatchObject({ code: 0, stdout: 'bob by command\n' });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/own\.mjs returned no context for this client \(stdio\)/);
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toMatch(/Leave out --token/);
  });

  it('listens until it is told to stop, and ends well', async () => {
    const child = command.start(['serve', 'tools.mjs', '--http', '--port', '0']);
    const ended = collect(child);
    if (!child.stdout) throw new Error('no output');
    for await (const line of createInterface({ input: child.stdout })) {
      expect(line).toMatch(/^Serving shop at http:\/\/127\.0\.0\.1:\d+\/mcp$/);
      break;
    }
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/Every program and user on this machine can call these tools\. .*--token auto/);
  });
});

/** A client of a server on pipes: what it asks, and what it waits to be told, each thing once. */
function openClient(child: ReturnType<BuiltCommand['start']>) {
  const ended = collect(child);
  const messages: { id?: number; method?: string; result?: { content?: { text?: string }[] } }[] = [];
  let errors = '';
  let wake = (): void => {};
  let ids = 0;
  const take = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const takeMessage = (fits: (message: (typeof messages)[number]) => boolean) =>
    take(() => {
      const at = messages.findIndex(fits);
      return at === -1 ? undefined : messages.splice(at, 1)[0];
    });
  const say = (message: object): void => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  if (!child.stdout || !child.stderr) throw new Error('no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    messages.push(JSON.parse(line) as (typeof messages)[number]);
    wake();
  });
  child.stderr.on('data', (text: string) => {
    errors += text;
    wake();
  });
  say({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  say({ method: 'notifications/initialized' });
  return {
    async call(name: string): Promise<string | undefined> {
      const id = (ids += 1);
      say({ id, method: 'tools/call', params: { name } });
      return (await takeMessage((message) => message.id === id)).result?.content?.[0]?.text;
    },
    told: (method: string) => takeMessage((message) => message.method === method),
    noted: (text: string) =>
      take(() => {
        const at = errors.indexOf(text);
        if (at === -1) return undefined;
        errors = errors.slice(at + text.length);
        return text;
      }),
    end() {
      child.stdin?.end();
      return ended;
    },
  };
}

describe('a warning', () => {
  it('names the option that was typed, not the one of the function behind it', async () => {
    command.write(
      'warns.mjs',
      `process.emitWarning('The option "allowedTools" names "cuont".');
      export { shop } from './tools.mjs';`,
    );
    const { stderr } = await command.run(['run', 'warns.mjs', 'hi', '--once', '--cli', './no-cli']);
    expect(stderr).toMatch(/^Warning: --allow names "cuont"\.$/m);
  });
});

describe('text that acts on terminals', () => {
  it('does not act through warnings and errors that nobody catches', async () => {
    command.write(
      'hostile.mjs',
      `import { tool } from 'inboard';
      const hostile = ${JSON.stringify(HOSTILE_TEXT)};
      process.emitWarning(hostile);
      export default tool('leak', 'x', {}, () => {
        setImmediate(() => Promise.reject(new Error(hostile)));
        return new Promise(() => {});
      });`,
    );
    const ran = await command.run(['call', 'hostile.mjs', 'leak']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expectTame(ran.stderr);
    expect(ran.stderr).toMatch(/^Warning: a\\u001b\]52;[\s\S]*\ninboard: Error: a\\u001b\]52;[\s\S]*\n +at /);
  });
});
