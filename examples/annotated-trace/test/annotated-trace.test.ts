// The program itself on both real CLIs with the scripted model, and what it does with recordings that nobody explained.
import assert from 'node:assert/strict';
import { execFile, type ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Trace, TraceFrame } from 'inboard/trace';
import { alignTables, type Line } from '../comparison/align.ts';
import { readDocument } from '../comparison/document.ts';
import { explainDifferences, type Difference } from '../comparison/explain.ts';
import { findClis } from '../src/find-clis.ts';
import { comparePayloads, readPayloads, type PayloadComparison } from '../comparison/payloads.ts';
import { measureSpans, type Span } from '../comparison/spans.ts';
import { printTable } from '../src/print-table.ts';
import { toRun, type Run } from '../src/record-run.ts';

const example = dirname(fileURLToPath(new URL('.', import.meta.url)));
let folder = '';
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'annotated-trace-'))));
after(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the program as `npm start` does, in an empty folder that is also its place for temporary files. */
function start(words: string[], during?: (child: ChildProcess) => void): Promise<Ended> {
  const { ANTHROPIC_API_KEY: _key, ...rest } = process.env;
  const env = { ...rest, TMPDIR: folder, COLUMNS: '80', FORCE_COLOR: '0', NO_COLOR: '1' };
  // By its file: the name would be looked for from the folder it runs in.
  const jiti = join(dirname(createRequire(import.meta.url).resolve('jiti')), 'jiti-register.mjs');
  const args = ['--import', pathToFileURL(jiti).href, join(example, 'src', 'main.ts'), ...words];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: folder, env, maxBuffer: 2 ** 26 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
    during?.(child);
  });
}

describe('the program, on both real CLIs', () => {
  let table: {
    runs: string[];
    lines: Line[];
    differences: Difference[];
    spans: Span[];
    payloads: PayloadComparison[][];
  };
  before(async () => {
    const ended = await start(['--json', '--html']);
    assert.equal(ended.code, 0, ended.stderr + ended.stdout);
    table = JSON.parse(ended.stdout) as typeof table;
  });

  const column = (run: string): string[] =>
    table.lines.flatMap((line) => line.runs[table.runs.indexOf(run)]?.event ?? []);
  const lettersOf = (run: string): string => {
    const found = table.differences.filter((difference) => difference.run === table.runs.indexOf(run));
    return [...new Set(found.map(({ reason }) => reason?.letter ?? '?'))]
      .sort((a, b) => (a < b ? -1 : 1))
      .join('');
  };

  it('has every row of the document, in its order', async () => {
    const quoted = (await readDocument()).map(({ says }) => says);
    assert.equal(quoted.length, 22);
    assert.deepEqual(
      table.lines.flatMap(({ document }) => document?.says ?? []),
      quoted,
    );
  });

  it('records the run on CLI 2.1.33: one handshake, then the tool call', () => {
    const expected =
      'initialize, user, initialize answer, initialize, initialize answer, notifications/initialized, ' +
      'notifications/initialized answer, tools/list, tools/list answer, system/init, assistant (tool_use), ' +
      'can_use_tool, can_use_tool answer, tools/call, tools/call answer, user (tool_result), assistant, ' +
      'result/success, input-end, end';
    assert.equal(column('2.1.33').join(', '), expected);
    assert.equal(lettersOf('2.1.33'), 'bdeg');
  });

  it('has both handshakes of the document when the server is named as its host names it', () => {
    const rows = column('2.1.33 by flag');
    for (const event of ['tools/list', 'tools/list answer', 'notifications/initialized'])
      assert.equal(rows.filter((row) => row === event).length, 2, event);
    // How the two mesh is a matter of timing.
    assert.match(lettersOf('2.1.33 by flag'), /^c?deg$/);
  });

  it('records the run on the CLI of today: no handshake of MCP at all, and its states', () => {
    const today = table.runs.at(-1) ?? '';
    const expected =
      'initialize, user, initialize answer, state: running, system/init, assistant (tool_use), ' +
      'state: requires_action, can_use_tool, can_use_tool answer, state: running, tools/call, ' +
      'tools/call answer, user (tool_result), assistant, result/success, state: idle, input-end, end';
    assert.equal(column(today).join(', '), expected);
    assert.equal(lettersOf(today), 'adefg');
  });

  it('explains every difference', () => {
    assert.ok(table.differences.length > 30);
    assert.deepEqual(
      table.differences.filter(({ reason }) => !reason),
      [],
    );
  });

  it('has one zero for all times: when the CLI turns to the tool server', () => {
    assert.equal(table.lines.find(({ step }) => step.layer === 'mcp')?.runs[0]?.time, '0');
    assert.equal(table.lines.find(({ step }) => step.event === 'initialize answer')?.runs.at(-1)?.time, '0');
  });

  it('measures both spans of the document, in its table and in the recordings', () => {
    const [connect, call] = table.spans;
    assert.deepEqual([connect?.document, call?.document], [5, 6]);
    assert.equal(connect?.runs.filter((span) => typeof span === 'number' && span > 0).length, 2);
    // There is no such span where the manifest came with the handshake.
    assert.equal(connect?.runs.at(-1) ?? undefined, undefined);
    for (const span of call?.runs ?? []) assert.ok(typeof span === 'number' && span > 0);
  });

  it('compares the content of every quoted frame, and explains every field that differs', async () => {
    assert.equal((await readPayloads()).length, 18);
    const missing = (run: number) =>
      table.payloads[run]?.filter(({ differences }) => !differences).map(({ where }) => where);
    assert.deepEqual(missing(0), ['a denial']);
    assert.deepEqual(missing(1), ['a denial']);
    assert.equal(missing(2)?.length, 7, 'the handshake of MCP, and the denial');
    const fields = table.payloads.flat().flatMap(({ differences = [] }) => differences);
    assert.ok(fields.length > 100);
    assert.deepEqual(
      fields.filter(({ reason }) => !reason),
      [],
    );
    const same = table.payloads[0]?.find(({ where }) => where === 'mcp initialize');
    assert.deepEqual([same?.same, same?.differences], [7, []]);
  });

  it('writes a page for each run, and leaves nothing else behind', async () => {
    const page = await readFile(join(folder, 'trace.html'), 'utf8');
    assert.match(page, /^<!doctype html>/i);
    assert.match(page, /mcp__demo_tools__greet/);
    const comparison = await readFile(join(folder, 'comparison.html'), 'utf8');
    for (const words of [
      'Every difference is explained.',
      'href="trace-2.1.33-by-flag.html"',
      'One handshake instead of two.',
    ])
      assert.ok(comparison.includes(words), words);
    assert.match(comparison, /Permission and tool call<\/td><td class="number">6 ms/);
    assert.match(comparison, /claudecode\/toolUseId<\/td>.*An id is made anew for every run\./);
    const left = (await readdir(folder)).filter((name) => !/^(?:node-compile-cache|jiti)$/.test(name));
    assert.deepEqual(
      left.sort((a, b) => (a < b ? -1 : 1)),
      ['comparison.html', 'trace-2.1.33-by-flag.html', 'trace-2.1.33.html', 'trace.html'],
    );
  });
});

describe('a recording that is not as expected', () => {
  const frame = (dir: 'in' | 'out', t: number, content: Record<string, unknown>): TraceFrame => {
    return { type: 'frame', dir, t, frame: content };
  };
  const request = { subtype: 'initialize', sdkMcpServers: ['demo_tools'] };
  const initialize = frame('out', 1, { type: 'control_request', request_id: 'r1', request });
  const reply = (parked: Record<string, string>): TraceFrame => {
    const response = { commands: [], models: [], sdk_mcp_manifests_parked: parked };
    const success = { subtype: 'success', request_id: 'r1', response };
    return frame('in', 2, { type: 'control_response', response: success });
  };
  const runOf = (...steps: TraceFrame[]): Run => {
    const header = { type: 'header', claudeCodeVersion: '9.9.9' } as Trace['header'];
    return toRun({ header, steps, end: undefined, problems: [] });
  };

  async function explain(run: Run): Promise<{ lines: Line[]; differences: Difference[]; unknown: string[] }> {
    const lines = alignTables(await readDocument(), [run]);
    const differences = explainDifferences(lines, [run]);
    const unknown = differences.flatMap(({ reason, line, kind }) =>
      reason ? [] : `${kind} ${lines[line]?.step.event}`,
    );
    return { lines, differences, unknown };
  }

  it('with a frame nobody knows is not explained, and the table says so', async () => {
    const run = runOf(initialize, reply({ demo_tools: 'parked' }), frame('in', 3, { type: 'surprise' }));
    const { lines, differences, unknown } = await explain(run);
    assert.ok(unknown.includes('extra surprise'));
    assert.ok(!unknown.some((text) => text.includes('tools/list')), 'the CLI said that it took the manifest');
    const printed = printTable({
      lines,
      runs: [run],
      differences,
      spans: [],
      payloads: [],
      width: 80,
      colour: false,
    });
    assert.match(printed, / 1 \?  CLI → host  surprise/);
    assert.match(printed, new RegExp(`${unknown.length} of them not explained`));
  });

  it('without a handshake, where the CLI did not say that it took the manifest, is not explained', async () => {
    const { unknown } = await explain(runOf(initialize, reply({ demo_tools: 'rejected' })));
    const handshake = unknown.filter((text) => /missing (?:initialize|notifications|tools\/list)/.test(text));
    assert.equal(handshake.length, 12);
  });

  it('with another answer of the tool, or another id in one place, is not explained', async () => {
    const call = {
      name: 'greet',
      arguments: { name: 'Alice' },
      _meta: { 'claudecode/toolUseId': 'toolu_1', progressToken: 2 },
    };
    const message = { method: 'tools/call', params: call, jsonrpc: '2.0', id: 2 };
    const asked = { subtype: 'mcp_message', server_name: 'demo_tools', message };
    const result = { content: [{ type: 'text', text: 'Hello, Bob!' }] };
    const mcpResponse = { jsonrpc: '2.0', id: 2, result };
    const run = runOf(
      frame('in', 1, { type: 'control_request', request_id: 'c1', request: asked }),
      frame('out', 2, {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'c1', response: { mcp_response: mcpResponse } },
      }),
    );
    const fields = comparePayloads(await readPayloads(), run).flatMap(({ differences = [] }) => differences);
    const open = fields.filter(({ reason }) => !reason).map(({ path }) => path);
    assert.ok(open.includes('result.content.0.text'), open.join());
    // The id is in one place only, so nothing shows that it is one call.
    assert.ok(open.includes('params._meta.claudecode/toolUseId'), open.join());
  });

  it('fits into 80 columns, and uses 120', async () => {
    const run = runOf(initialize, reply({ demo_tools: 'parked' }));
    const { lines, differences } = await explain(run);
    // As many columns as the program has.
    const runs = [run, run, run];
    const joint = lines.map((line) => ({ ...line, runs: [line.runs[0], line.runs[0], line.runs[0]] }));
    const spans = measureSpans(await readDocument(), runs);
    const widest = (width: number, colour = false): number => {
      const text = stripVTControlCharacters(
        printTable({ lines: joint, runs, differences, spans, payloads: [], width, colour }),
      );
      return Math.max(...text.split('\n').map((row) => row.trimEnd().length));
    };
    assert.ok(widest(80) <= 80, `${widest(80)}`);
    assert.ok(widest(120) > 90 && widest(120) <= 120, `${widest(120)}`);
    assert.equal(widest(120, true), widest(120));
  });
});

describe('what it is given', () => {
  it('says which package is missing, and how to get it', () => {
    const clis = findClis(pathToFileURL(join(folder, 'nobody.js')).href);
    assert.deepEqual(clis.old, {
      name: 'claude-code-2.1.33',
      path: undefined,
      install: 'npm install claude-code-2.1.33@npm:@anthropic-ai/claude-code@2.1.33',
    });
    assert.equal(clis.new.path, undefined);
  });

  it('refuses a row of the document that has no counterpart', async () => {
    const file = join(folder, 'other.md');
    await writeFile(file, '| 0 | Control | CLI → SDK | `something_else` |\n');
    await assert.rejects(readDocument(file), /The document says "something_else", which has no counterpart/);
  });

  it('ends at Ctrl-C, with its CLIs, and leaves nothing behind', async () => {
    const before = await readdir(folder);
    const ended = start(['--json'], (child) => {
      // Once a CLI has a home, one is being started.
      const timer = setInterval(() => {
        if (!readdirSync(folder).some((name) => name.startsWith('inboard-'))) return;
        clearInterval(timer);
        child.kill('SIGINT');
      }, 20);
    });
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 130, stderr);
    assert.equal(stdout, '');
    assert.deepEqual(await readdir(folder), before);
  });

  it('refuses a flag it does not have', async () => {
    const { code, stderr } = await start(['--jsno']);
    assert.equal(code, 2);
    assert.match(stderr, /Unknown option '--jsno'[^]*Usage: npm start/);
  });
});
