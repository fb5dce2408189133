// Recording and replaying on both CLIs, and hosts that are killed while they record.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTimeline, openTape, readTrace } from '../../packages/inboard/src/trace.js';
import { buildPackage, type BuiltPackage } from '../package/built-package.js';
import { isRunning } from '../support/is-running.js';
import { waitUntil } from '../support/wait-until.js';
import { traceCases } from './cases/traces.js';
import { forEachCli } from './support/cases.js';
import { newCli, oldCli } from './support/cli.js';
import { createQuery, text, toolUse, type Prompt } from './support/inboard.js';
import { onStage } from './support/stage.js';
import { readRest } from './support/talk.js';

forEachCli([newCli, oldCli], traceCases);

let built: BuiltPackage | undefined;
beforeAll(async () => {
  built = await buildPackage();
});
afterAll(() => built?.remove());

// A CLI whose host is gone asks the model once more before it leaves.
const onExhausted = (): ReturnType<typeof text> => text('Done.');

// Says so when the call has come to its file, and then waits for a tool that never answers.
const HOST = `
import { readFileSync } from 'node:fs';
import { createSdkMcpServer, query, tool } from 'inboard';
const [file, pathToClaudeCodeExecutable] = process.argv.slice(2);
const shop = createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: [tool('wait', 'Waits', {}, () => new Promise(() => {}))] });
setInterval(() => { if (readFileSync(file, 'utf8').includes('"tools/call"')) process.stdout.write('now'); }, 20);
const options = { mcpServers: { shop }, allowedTools: [shop], trace: file };
if (pathToClaudeCodeExecutable) options.pathToClaudeCodeExecutable = pathToClaudeCodeExecutable;
for await (const message of query({ prompt: 'Go.', options })) void message;
`;

it.each([newCli, oldCli])('a host that is killed leaves a readable trace: CLI $version', async (cli) => {
  await onStage(cli, { script: [toolUse('mcp__shop__wait', {})], onExhausted }, async ({ home }) => {
    const file = join(home.cwd, 'killed.jsonl');
    const program = join(built?.folder ?? '', 'host.mjs');
    writeFileSync(file, '');
    writeFileSync(program, HOST);
    const executable = cli.options.pathToClaudeCodeExecutable ?? '';
    const host = spawn(process.execPath, [program, file, executable], {
      cwd: home.cwd,
      env: { ...home.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    host.stdout.once('data', () => host.kill('SIGKILL'));
    expect(await once(host, 'exit')).toEqual([null, 'SIGKILL']);

    const trace = await readTrace(file);
    expect(trace.end).toBeUndefined();
    expect(trace.problems.length).toBeLessThanOrEqual(1);
    expect(trace.header).toMatchObject({ claudeCodeVersion: cli.version, hostPid: host.pid });
    const open = buildTimeline(trace).spans.filter(({ isOpen }) => isOpen);
    expect(open.map(({ kind }) => kind)).toContain('handler');
    const { pid } = trace.header;
    await waitUntil(() => pid !== null && !isRunning(pid), 60_000, 'the end of the CLI');

    // It replays up to where it was cut off.
    const tape = await openTape(trace, { tools: 'taped' });
    const query = createQuery({ prompt: tape.prompt as Prompt, options: { transport: tape.transport } });
    const { messages, error } = await readRest(query);
    expect(messages.some(({ type }) => type === 'assistant')).toBe(true);
    expect(error).toMatchObject({ code: 'TRACE_INCOMPLETE' });
  });
});
