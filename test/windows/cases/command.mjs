// The command `inboard`: every subcommand that works without an account, with the paths and line ends of Windows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFileCallRecords, run } from 'inboard';
import { text } from 'inboard/testing';
import {
  ask,
  createFake,
  inboard,
  PROJECT,
  put,
  putTools,
  startInboard,
  startNode,
  whenSaid,
} from '../support.mjs';

const SESSION = '00000000-0000-4000-8000-0000000000f1';

/** Runs a command that must succeed; gives its output. */
async function succeed(words, options) {
  const { code, stdout, stderr } = await inboard(words, options);
  assert.equal(code, 0, `${stdout}${stderr}`);
  return stdout;
}

// Tools files import the package from the project, so they are made there.
const folderOf = (place) => {
  const folder = join(PROJECT, 'tried', place.split('\\').at(-1));
  return { folder, file: putTools(folder) };
};

/** Runs a batch file, as a terminal does. */
function runBatch(file, words, cwd) {
  return new Promise((resolve) => {
    execFile(
      'cmd.exe',
      ['/d', '/s', '/c', `""${file}" ${words}"`],
      { cwd, windowsVerbatimArguments: true },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function putPending(config) {
  const records = createFileCallRecords({ folder: join(config, 'projects', 'C--shop', SESSION) });
  const call = { callKey: 'call_1', toolName: 'mcp__shop__order', input: { n: 1 } };
  await records.add({ type: 'begun', ...call, attempt: 1, owner: 'host', at: 1 });
  await records.add({
    type: 'pending',
    callKey: 'call_1',
    note: 'parcel',
    output: { server: 'shop', tool: 'order' },
    at: 2,
  });
  await records.close();
}

const withConfig = (config) => ({ env: { ...process.env, CLAUDE_CONFIG_DIR: config } });

async function record(after, trace) {
  const fake = createFake(after, [text('Recörded.')]);
  await run({ prompt: 'Write it döwn.', options: { transport: fake.transport, trace, settingSources: [] } });
  return trace;
}

export const CASES = {
  '--version': async () => assert.match(await succeed(['--version']), /^\d+\.\d+\.\d+\r?\n$/),
  '--help names every command': async () => {
    const help = await succeed(['--help']);
    for (const name of ['init', 'doctor', 'run', 'call', 'tools', 'serve', 'trace', 'inspect', 'data'])
      assert.ok(help.includes(name), name);
  },
  'an unknown command is a wrong command line': async () =>
    assert.equal((await inboard(['nothing'])).code, 2),
  'a command that a .cmd starts, as npx does': async ({ place }) => {
    const shim = put(
      join(place, 'bin folder', 'inboard.cmd'),
      `@ECHO off\r\n"${process.execPath}" "${join(PROJECT, 'node_modules', 'inboard', 'dist', 'cli', 'main.js')}" %*\r\n`,
    );
    const { code, stdout, stderr } = await runBatch(shim, '--version', place);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\d+\.\d+\.\d+/);
  },
  'the exit code comes through a .cmd': async ({ place }) => {
    const shim = put(
      join(place, 'inboard.cmd'),
      `@ECHO off\r\n"${process.execPath}" "${join(PROJECT, 'node_modules', 'inboard', 'dist', 'cli', 'main.js')}" %*\r\n`,
    );
    assert.equal((await runBatch(shim, 'nothing', place)).code, 2);
  },
  'tools of a file with a drive letter': async ({ place }) => {
    assert.match(await succeed(['tools', folderOf(place).file]), /count/);
  },
  'tools of a file with slashes': async ({ place }) => {
    assert.match(await succeed(['tools', folderOf(place).file.replaceAll('\\', '/')]), /count/);
  },
  'tools of a relative file, with a backslash': async ({ place }) => {
    const { folder } = folderOf(place);
    assert.match(await succeed(['tools', '.\\tools.mjs'], { cwd: folder }), /count/);
  },
  'tools as JSON': async ({ place }) => {
    const { servers } = JSON.parse(await succeed(['tools', folderOf(place).file, '--json']));
    assert.deepEqual(servers, [{ name: 'shop', kind: 'inboard' }]);
  },
  'tools of a TypeScript file': async ({ place }) => {
    const { folder } = folderOf(place);
    const file = putTools(folder, 'tools.ts');
    assert.match(await succeed(['tools', file]), /count/);
  },
  'tools of a file with CRLF and a byte order mark': async ({ place }) => {
    const { folder, file } = folderOf(place);
    const marked = put(
      join(folder, 'marked.mjs'),
      `\uFEFF${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`,
    );
    assert.match(await succeed(['tools', marked]), /count/);
  },
  'a tools file with a wrong line names the line': async ({ place }) => {
    const { folder } = folderOf(place);
    const broken = put(join(folder, 'broken.mjs'), 'const one = 1;\r\nconst = 2;\r\n');
    const { code, stderr } = await inboard(['tools', broken]);
    assert.notEqual(code, 0);
    assert.match(stderr, /broken\.mjs.*2|2.*broken\.mjs/s);
  },
  'a tools file that is not there': async ({ place }) => {
    const { code, stderr } = await inboard(['tools', join(place, 'nothing.mjs')]);
    assert.notEqual(code, 0);
    assert.ok(stderr.includes('nothing.mjs'), stderr);
  },
  'call, with JSON as a word': async ({ place }) => {
    assert.match(
      await succeed(['call', folderOf(place).file, 'count', '{"article":"äpples"}']),
      /^7 äpples\r?\n$/,
    );
  },
  'call, with JSON from standard input that ends with CRLF': async ({ place }) => {
    const stdout = await succeed(['call', folderOf(place).file, 'count', '-'], {
      input: '{\r\n"article":"pears"}\r\n',
    });
    assert.match(stdout, /^7 pears/);
  },
  'call with wrong input fails': async ({ place }) => {
    assert.equal((await inboard(['call', folderOf(place).file, 'count', '{"article":7}'])).code, 1);
  },
  'call through a .cmd, with quotes': async ({ place }) => {
    const { file } = folderOf(place);
    const shim = put(
      join(place, 'inboard.cmd'),
      `@ECHO off\r\n"${process.execPath}" "${join(PROJECT, 'node_modules', 'inboard', 'dist', 'cli', 'main.js')}" %*\r\n`,
    );
    const { stdout, stderr } = await runBatch(
      shim,
      String.raw`call "${file}" count "{\"article\":\"plums\"}"`,
      place,
    );
    assert.match(stdout, /^7 plums/, stderr);
  },
  'init makes a project': async ({ place }) => {
    await succeed(['init', 'my-agent', '--js'], { cwd: place });
    const made = readdirSync(join(place, 'my-agent'));
    assert.ok(made.includes('package.json'), made.join());
    JSON.parse(readFileSync(join(place, 'my-agent', 'package.json'), 'utf8'));
  },
  'init into a path with a drive letter and spaces': async ({ place }) => {
    const target = join(place, 'in here', 'my-agent');
    await succeed(['init', target, '--template', 'tools'], { cwd: dirname(place) });
    assert.ok(existsSync(join(target, 'package.json')));
  },
  'init refuses a name that Windows cannot have': async ({ place }) => {
    const { code, stderr } = await inboard(['init', 'con'], { cwd: place });
    assert.equal(code, 2);
    assert.match(stderr, /Windows/);
  },
  'init does not write over files': async ({ place }) => {
    put(join(place, 'full', 'package.json'), '{}');
    assert.notEqual((await inboard(['init', 'full', '--js'], { cwd: place })).code, 0);
    assert.equal(readFileSync(join(place, 'full', 'package.json'), 'utf8'), '{}');
  },
  'doctor says that there is no CLI, and goes on': async ({ place }) => {
    const { code, stdout } = await inboard(['doctor', '--json'], { cwd: place });
    const report = JSON.parse(stdout);
    assert.equal(code, 1);
    assert.ok(JSON.stringify(report).includes('Node'), stdout);
  },
  'doctor finds nothing wrong with a fake CLI but the login': async ({ after, place }) => {
    const fake = createFake(after, [text('Hello.')], { allowEarlyEnd: true });
    const path = await fake.executable();
    const { stdout } = await inboard(['doctor', '--json', '--cli', path], { cwd: place });
    assert.ok(stdout.includes(JSON.stringify(path).slice(1, -1)), stdout);
    assert.match(stdout, /2\.1\.325/);
  },
  'run takes a prompt, calls a tool and prints the answer': async ({ after, place }) => {
    const { toolUse } = await import('inboard/testing');
    const fake = createFake(after, [
      toolUse('mcp__shop__count', { article: 'figs' }),
      text('There are 7 figs.'),
    ]);
    const path = await fake.executable();
    const { code, stdout, stderr } = await inboard(
      ['run', folderOf(place).file, 'How many figs?', '--once', '--allow', 'count', '--cli', path],
      { cwd: place },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /There are 7 figs\./);
  },
  'run records a trace': async ({ after, place }) => {
    const fake = createFake(after, [text('Hello.')]);
    const path = await fake.executable();
    await succeed(['run', folderOf(place).file, 'Hi', '--once', '--cli', path, '--trace', 'my run.jsonl'], {
      cwd: place,
    });
    assert.match(readFileSync(join(place, 'my run.jsonl'), 'utf8'), /Hello\./);
  },
  'trace view': async ({ after, place }) => {
    const trace = await record(after, join(place, 'run.jsonl'));
    assert.match(await succeed(['trace', 'view', trace]), /döwn/);
  },
  'trace html writes one file': async ({ after, place }) => {
    const trace = await record(after, join(place, 'run.jsonl'));
    await succeed(['trace', 'html', trace, '--output', 'page of it.html'], { cwd: place });
    assert.match(readFileSync(join(place, 'page of it.html'), 'utf8'), /<html/i);
  },
  'trace mermaid': async ({ after, place }) => {
    const trace = await record(after, join(place, 'run.jsonl'));
    assert.match(
      await succeed(['trace', 'mermaid', trace, '--output', '-'], { cwd: place }),
      /sequenceDiagram|gantt|graph/,
    );
  },
  'trace replay': async ({ after, place }) => {
    const trace = await record(after, join(place, 'run.jsonl'));
    await succeed(['trace', 'replay', trace], { cwd: place });
  },
  'trace of a file with CRLF': async ({ after, place }) => {
    const trace = await record(after, join(place, 'run.jsonl'));
    const other = put(join(place, 'crlf.jsonl'), readFileSync(trace, 'utf8').replaceAll('\n', '\r\n'));
    assert.match(await succeed(['trace', 'view', other]), /döwn/);
  },
  'inspect without anything says what to give': async ({ place }) => {
    assert.equal((await inboard(['inspect'], { cwd: place })).code, 2);
  },
  'calls list, complete and fail': async ({ place }) => {
    await putPending(place);
    const options = withConfig(place);
    assert.match(await succeed(['calls', 'list'], options), /call_1 {2}mcp__shop__order/);
    await succeed(['calls', 'complete', 'call_1', '{"parcel":7}', '--by', 'ann'], options);
    assert.equal((await inboard(['calls', 'fail', 'call_1', 'no'], options)).code, 1);
  },
  'data find names files with drive letters, and data delete removes them': async ({ place }) => {
    await putPending(place);
    const options = withConfig(place);
    const found = await succeed(['data', 'find', SESSION], options);
    assert.ok(found.includes(`${place}\\projects\\C--shop\\${SESSION}`), found);
    await succeed(['data', 'delete', SESSION, '--yes'], options);
    assert.ok(!existsSync(join(place, 'projects', 'C--shop', SESSION)));
  },
  'migrate reports what differs, in files with CRLF': async ({ place }) => {
    const file = put(
      join(place, 'src', 'agent.ts'),
      "import { query } from '@anthropic-ai/claude-agent-sdk';\r\nfor await (const m of query({ prompt: 'Hi' })) console.log(m);\r\n",
    );
    put(
      join(place, 'package.json'),
      '{ "dependencies": { "@anthropic-ai/claude-agent-sdk": "0.3.325" } }\r\n',
    );
    await inboard(['migrate', '--check'], { cwd: place });
    await succeed(['migrate'], { cwd: place });
    const changed = readFileSync(file, 'utf8');
    assert.match(changed, /from 'inboard';\r\n/);
    assert.equal(changed.split('\r\n').length, 3);
  },
  'cluster migrate --print needs no database': async () => {
    assert.match(await succeed(['cluster', 'migrate', '--print']), /create table/i);
  },
  'cluster without an address says how to give one': async () => {
    const { code, stderr } = await inboard(['cluster', 'status'], {
      env: { ...process.env, DATABASE_URL: '' },
    });
    assert.equal(code, 2);
    assert.match(stderr, /--journal/);
  },
  'remote serve listens, and ends with its input': async ({ place }) => {
    const { code, stderr } = await inboard(['remote', 'serve', '--stdio'], { cwd: place, input: '' });
    assert.equal(code, 0, stderr);
  },
  'serve over stdio answers an MCP client, with lines that end with CRLF': async ({ place }) => {
    const lines = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'count', arguments: { article: 'nüts' } },
      },
    ];
    const served = startInboard(['serve', folderOf(place).file, '--stdio'], { cwd: place });
    for (const line of lines) served.child.stdin.write(`${JSON.stringify(line)}\r\n`);
    await whenSaid(served, /7 nüts/);
    served.child.stdin.end();
    const { code, stdout } = await served.done;
    assert.equal(code, 0);
    for (const line of stdout.trim().split('\n')) JSON.parse(line);
  },
  'serve over HTTP answers on loopback': async ({ place }) => {
    const served = startInboard(['serve', folderOf(place).file, '--http', '--port', '0'], { cwd: place });
    const [url] = await whenSaid(served, /http:\/\/127\.0\.0\.1:\d+\S*/);
    const answer = await ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      }),
    });
    assert.equal(answer.status, 200);
    assert.match(answer.text, /serverInfo/);
    served.child.kill('SIGKILL');
    await served.done;
  },
  'acp answers an editor': async ({ place }) => {
    const served = startInboard(['acp', folderOf(place).file], { cwd: place });
    served.child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } })}\r\n`,
    );
    await whenSaid(served, /"protocolVersion"/);
    served.child.stdin.end();
    await served.done;
  },
  'output goes whole into a file': async ({ place }) => {
    const out = join(place, 'help.txt');
    const { code } = await startNode(
      [
        '-e',
        `const { spawnSync } = require('node:child_process');
       const file = require('node:fs').openSync(process.argv[1], 'w');
       process.exit(spawnSync(process.execPath, [process.argv[2], '--help'], { stdio: ['ignore', file, file] }).status);`,
        out,
        join(PROJECT, 'node_modules', 'inboard', 'dist', 'cli', 'main.js'),
      ],
      { input: '' },
    ).done;
    assert.equal(code, 0);
    assert.match(readFileSync(out, 'utf8'), /doctor/);
  },
};
