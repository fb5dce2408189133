// What the CLI lists against what was defined, what the model really gets, and the events of every tool.
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  createSdkMcpServer,
  text,
  tool,
  ToolsNotReadyError,
  toolUse,
  type SessionToolEvent,
} from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { openTalk, readRest, readTurn } from '../support/talk.js';

const stdioServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../support/stdio-server.mjs', import.meta.url))],
};
const hello = tool('hello', 'Says hello', {}, () => 'hello');
const own = createSdkMcpServer({ name: 'own', tools: [hello] });

/** `ready()` needs no turn: in-process and outside servers are waited for, and a dead one is named with its reason. */
async function waitUntilReady(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('Yes.')] }, async (stage) => {
    const talk = openTalk();
    const { query } = stage.start(talk.prompt, { mcpServers: { own, outside: stdioServer } });
    const report = await query.ready({ timeoutMs: 60_000 });
    const states = Object.fromEntries(report.servers.map(({ name, status }) => [name, status]));
    const isNew = cli.isNew;
    expect(states, '2.1.33 connects in-process servers with the first message').toEqual(
      isNew ? { own: 'connected', outside: 'connected' } : { outside: 'connected' },
    );
    expect(report.missing).toEqual([]);
    if (isNew) expect(report.listed).toContain('mcp__own__hello');
    talk.say('Ready?');
    await readTurn(query);
    expect((await query.ready()).listed).toContain('mcp__own__hello');
    talk.end();
    expect((await readRest(query)).error).toBeUndefined();
  });
}

async function nameWhatIsNotReady(cli: Cli): Promise<void> {
  await onStage(cli, { script: [] }, async (stage) => {
    const dead = { command: process.execPath, args: ['--eval', 'process.exit(3)'] };
    const { query } = stage.start(openTalk().prompt, { mcpServers: { own, dead } });
    const error = await query.ready({ timeoutMs: 60_000 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolsNotReadyError);
    expect((error as Error).message).toContain('server "dead" is failed');
    expect((error as Error).message).not.toContain('"own"');
    await query.close();
  });
}

/** Listed is not seen: what the model received decides, and the session says which tools it kept back. */
async function sayWhatIsDeferred(cli: Cli): Promise<void> {
  const always = tool('always', 'Is always there', {}, () => 'yes', { alwaysLoad: true });
  const ours = tool({ name: 'ours', description: 'Is there by default', run: () => 'yes' });
  const words = tool('words', 'Is there by default', { text: 'string' }, () => 'yes');
  const off = tool({ name: 'off', description: 'Need not be there', alwaysLoad: false, run: () => 'yes' });
  const tools = [hello, always, ours, words, off] as const;
  const mcpServers = { own: createSdkMcpServer({ name: 'own', tools }) };
  const plan = { script: [text('Hm.')] };
  await onStage(cli, plan, async (stage) => {
    const talk = openTalk();
    const { query, warnings } = stage.start(talk.prompt, { mcpServers, allowedTools: [mcpServers.own] });
    talk.say('What do you have?');
    await readTurn(query);
    const { deferred, diagnoses } = await query.ready();
    talk.end();
    await readRest(query);
    const seen = stage.lastRequest().toolNames;
    expect(seen).toEqual(expect.arrayContaining(['mcp__own__always', 'mcp__own__ours', 'mcp__own__words']));
    const isDeferred = !seen.includes('mcp__own__hello');
    expect(isDeferred, '2.1.325 keeps it back, 2.1.33 sends it').toBe(cli.isNew);
    const notes = warnings.filter(({ code }) => code === 'TOOLS_DEFERRED').map(({ message }) => message);
    expect(notes).toHaveLength(isDeferred ? 1 : 0);
    expect(diagnoses.filter(({ causes }) => causes.length > 0)).toHaveLength(isDeferred ? 2 : 0);
    if (isDeferred) {
      expect(seen).not.toContain('mcp__own__off');
      expect(notes[0]).toContain('does not see mcp__own__hello until');
      expect(deferred.map((tool) => tool.tool)).toEqual(['hello', 'off']);
      const hidden = diagnoses.filter(({ causes }) => causes[0]?.kind === 'deferred');
      expect(hidden.map(({ name }) => name)).toEqual(['mcp__own__hello', 'mcp__own__off']);
    }
  });
}

async function tellOfEveryTool(cli: Cli): Promise<void> {
  const events: SessionToolEvent[] = [];
  const script = [
    toolUse('Bash', { command: 'echo hi' }),
    toolUse('mcp__outside__describe', { variable: 'PATH' }),
    toolUse('mcp__own__hello', {}),
    toolUse('Read', { file_path: '/no/such/file' }),
    text('Done.'),
  ];
  await onStage(cli, { script }, async (stage) => {
    const { query } = stage.start('Go.', {
      mcpServers: { own, outside: stdioServer },
      allowedTools: ['Bash', 'Read', 'mcp__outside', own],
      onToolEvent: (event) => void events.push(event),
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(events.map(({ toolName, type, inProcess }) => [toolName, type, inProcess])).toEqual([
      ['Bash', 'start', false],
      ['Bash', 'end', false],
      ['mcp__outside__describe', 'start', false],
      ['mcp__outside__describe', 'end', false],
      ['mcp__own__hello', 'start', true],
      ['mcp__own__hello', 'end', true],
      ['Read', 'start', false],
      ['Read', 'error', false],
    ]);
  });
}

/** The whole road over the command line: a name for the server, and the handshake message by message. */
async function registerOnTheCommandLine(cli: Cli): Promise<void> {
  const script = [toolUse('mcp__own__hello', {}), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const options = { mcpServers: { own }, allowedTools: [hello], sdkServerRegistration: 'argv' as const };
    const { query, wire } = stage.start('Go.', options);
    expect((await readRest(query)).error).toBeUndefined();
    expect(stage.lastRequest().toolResults).toMatchObject([{ isError: false, text: 'hello' }]);
    const methods = wire.mcpMessages().map(({ method }) => method);
    expect(methods.filter((method) => method === 'initialize')).toHaveLength(cli.isOld ? 2 : 1);
    expect(methods.at(-1)).toBe('tools/call');
  });
}

export const toolCheckCases: CaseSet = {
  'waits until servers and tools are there': waitUntilReady,
  'names a server that is not, and why': nameWhatIsNotReady,
  'says which tools the model does not see': sayWhatIsDeferred,
  'tells of every tool, whoever runs it': tellOfEveryTool,
  'registers servers on the command line': registerOnTheCommandLine,
};
