// What `inboard/testing` gives a test on Windows, and the real CLI that is a script.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { pending, query, run, tool } from 'inboard';
import {
  callTool,
  createIsolatedEnvironment,
  createMemoryTransport,
  createToolHarness,
  crash,
  expectPrompt,
  garbage,
  hugeLine,
  startOffline,
  startScriptedModel,
  text,
  toolUse,
  transportCases,
} from 'inboard/testing';
import { ask, createFake, createMath, disposeLater, put } from '../support.mjs';

const double = tool('double', 'Doubles', { n: 'number' }, ({ n }) => String(2 * n));

/** An answer of the model, as a program gets it that asks for one. */
async function askModel(url, prompt) {
  const { text: said } = await ask(new URL('/v1/messages', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: prompt }],
    }),
  });
  return said;
}

export const CASES = {
  'one tool is called': async () => {
    const outcome = await callTool(double, { n: 4 });
    assert.deepEqual([outcome.ok, outcome.text], [true, '8']);
  },
  'a harness calls tools, and refuses wrong input': async ({ after }) => {
    const harness = disposeLater(after, createToolHarness([double]));
    assert.equal((await harness.call('double', { n: 'four' })).ok, false);
    assert.equal((await harness.call('double', { n: 5 })).text, '10');
  },
  'a pending call is completed': async ({ after }) => {
    const order = tool('order', 'Orders', { article: 'string' }, ({ article }) => pending({ note: article }));
    const shop = disposeLater(after, createToolHarness(order));
    const ordering = shop.call('order', { article: 'apples' });
    await (await shop.whenPending('order')).complete({ parcel: 7 });
    assert.equal((await ordering).text, '{"parcel":7}');
  },
  'an isolated environment has its folders on disk, and variables for Windows': async ({ after }) => {
    const home = disposeLater(after, await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:1' }));
    for (const name of ['USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMP', 'CLAUDE_CONFIG_DIR'])
      assert.ok(home.env[name].startsWith(home.temporary), name);
    assert.ok(isAbsolute(home.cwd) && existsSync(home.cwd));
    const names = Object.keys(home.env).map((name) => name.toUpperCase());
    for (const name of ['SYSTEMROOT', 'PATH', 'PATHEXT', 'COMSPEC']) assert.ok(names.includes(name), name);
  },
  'an isolated environment is removed, though it is a deep one': async () => {
    const home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:1' });
    put(join(home.cwd, ...Array.from({ length: 12 }, () => 'a folder with a long name'), 'file'), 'x');
    await home.remove();
    assert.ok(!existsSync(home.temporary));
  },
  'an isolated environment knows where the bash of git is': async ({ after }) => {
    process.env.Claude_Code_Git_Bash_Path = 'D:\\Git\\bin\\bash.exe';
    after(() => delete process.env.Claude_Code_Git_Bash_Path);
    const home = disposeLater(after, await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:1' }));
    const [, value] =
      Object.entries(home.env).find(([name]) => /^claude_code_git_bash_path$/i.test(name)) ?? [];
    assert.equal(value, 'D:\\Git\\bin\\bash.exe');
  },
  'an isolated environment in a folder of yours is kept': async ({ place }) => {
    const folder = join(place, 'kept here');
    const home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:1', folder });
    await home.remove();
    assert.ok(existsSync(join(folder, 'config', '.claude.json')));
  },
  'a scripted model answers over loopback': async () => {
    const model = await startScriptedModel({ script: [text('Grüße.')] });
    assert.match(await askModel(model.url, 'Hi'), /Grüße\./);
    await model.close();
  },
  'startOffline gives options and takes them away again': async () => {
    const offline = await startOffline({ onExhausted: () => text('Yes.') });
    const { cwd, env } = offline.options;
    assert.match(await askModel(env.ANTHROPIC_BASE_URL, 'Hi'), /Yes\./);
    await offline.close();
    assert.ok(!existsSync(cwd));
  },
  'a fake CLI that crashes, and lines that are no protocol': async ({ after }) => {
    const fake = createFake(after, [garbage(), crash({ code: 3, stderr: 'gone' })]);
    await assert.rejects(
      run({
        prompt: 'Hi',
        options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
      }),
      { code: 'PROCESS_EXITED', exitCode: 3 },
    );
  },
  'a line of eight megabytes from a fake CLI as a program': async ({ after }) => {
    const fake = createFake(after, [hugeLine(8 * 1024 * 1024), text('Done.')]);
    const { text: said } = await run({
      prompt: 'Hi',
      options: { pathToClaudeCodeExecutable: await fake.executable(), settingSources: [] },
    });
    assert.equal(said, 'Done.');
  },
  'two sessions of one fake CLI at the same time': async ({ after }) => {
    const fake = createFake(after, ({ index }) => [text(`Number ${index}.`)]);
    const path = await fake.executable();
    const options = { pathToClaudeCodeExecutable: path, settingSources: [] };
    const said = await Promise.all(['a', 'b'].map(async (prompt) => (await run({ prompt, options })).text));
    assert.deepEqual(said.toSorted(), ['Number 0.', 'Number 1.']);
  },
  'a fake CLI of the oldest version': async ({ after }) => {
    const { server } = createMath();
    const fake = createFake(after, [expectPrompt('Hi'), toolUse('mcp__math__double', { n: 1 }), text('2')], {
      version: '2.1.33',
    });
    const { text: said } = await run({
      prompt: 'Hi',
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        mcpServers: { math: server },
        allowedTools: [server],
        settingSources: [],
      },
    });
    assert.equal(said, '2');
  },
  'a permission question, a hook and a callback in one turn': async ({ after }) => {
    const { server } = createMath();
    const fake = createFake(after, [toolUse('mcp__math__double', { n: 3 }), text('Six.')]);
    const heard = [];
    const q = query({
      prompt: 'Hi',
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        mcpServers: { math: server },
        settingSources: [],
        canUseTool: async (name, input) => {
          heard.push(name);
          return { behavior: 'allow', updatedInput: input };
        },
        hooks: { PreToolUse: [{ hooks: [async ({ tool_name }) => (heard.push(tool_name), {})] }] },
      },
    });
    for await (const _ of q);
    assert.deepEqual(heard, ['mcp__math__double', 'mcp__math__double']);
  },
  'the suite of transports, on the one in memory': async () => {
    const cases = transportCases(({ manner }) => {
      const { transport, peer } = createMemoryTransport({
        leavesAtEndOfInput: manner === 'obedient',
        ignoresTerm: manner === 'stubborn',
      });
      peer.onLine((line) => peer.send(line));
      if (manner !== 'obedient') peer.send('ready');
      return transport;
    });
    for (const { run: play } of cases) await play();
  },
};
