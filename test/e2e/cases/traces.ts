// Recording and replaying sessions of the real CLI.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildTimeline, createRedactor, openTape, readTrace } from '../../../packages/inboard/src/trace.js';
import type { Tape, TapeOptions, Trace } from '../../../packages/inboard/src/trace.js';
import { findFileFaults } from '../../../packages/core/test/record/trace/support/trace-schema.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { createQuery, createSdkMcpServer, text, tool, toolUse } from '../support/inboard.js';
import type { HookCallback, Options, Prompt, SDKMessage } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { openTalk, readRest, readTurn, readUntil } from '../support/talk.js';

/** A program with a tool, a permission callback and a hook; `count` is what the tool does. */
function program(count: (article: string) => string, seen: string[] = []): Options {
  const hook: HookCallback = (input) => {
    seen.push(input.hook_event_name);
    return Promise.resolve({});
  };
  const shop = createSdkMcpServer({
    name: 'shop',
    alwaysLoad: true,
    tools: [
      tool('count', 'Counts', { article: 'string', api_key: 'string?' }, ({ article }) => {
        seen.push(`count ${article}`);
        return count(article);
      }),
    ],
  });
  return {
    mcpServers: { shop },
    canUseTool: (name) => {
      seen.push(`permission ${name}`);
      return Promise.resolve({ behavior: 'allow' });
    },
    hooks: { PreToolUse: [{ hooks: [hook] }] },
  };
}

async function replay(
  trace: Trace,
  options: Options,
  how?: TapeOptions,
): Promise<{ messages: SDKMessage[]; error: unknown; tape: Tape }> {
  const tape = await openTape(trace, { waitMs: 10_000, ...how });
  const query = createQuery({
    prompt: tape.prompt as Prompt,
    // A folder of another time and an executable that is none: nothing may be looked for.
    options: { ...options, pathToClaudeCodeExecutable: '/nowhere/claude', transport: tape.transport },
  });
  return { ...(await readRest(query)), tape };
}

async function recordAndReplay(cli: Cli): Promise<void> {
  const script = [
    toolUse('mcp__shop__count', { article: 'apples', api_key: 'planted-in-arguments' }),
    toolUse('Bash', { command: 'export SHOP_API_KEY=planted-in-command; echo "two $((1+1))"' }),
    toolUse('mcp__shop__count', { article: 'pears' }),
    text('There are 7 of each. password=planted-by-model'),
  ];
  await onStage(cli, { script, env: { SHOP_TOKEN: 'planted-in-environment' } }, async (stage) => {
    const file = join(stage.home.cwd, 'run.jsonl');
    const seen: string[] = [];
    const act = stage.start('How many? My key is sk-ant-planted-in-prompt, and planted-in-environment.', {
      ...program((article) => `7 ${article}, token: planted-in-result`, seen),
      trace: { file, redact: { patterns: [/two \d/] } },
    });
    const recorded = await readRest(act.query);
    expect(recorded.error).toBeUndefined();
    expect(act.warnings).toEqual([]);

    // Whole, private, without secrets, and as the schema says.
    const content = readFileSync(file, 'utf8');
    expect(content).not.toContain('planted');
    expect(content).not.toContain('two 2');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(findFileFaults(file)).toEqual([]);
    const trace = await readTrace(file);
    expect(trace.problems).toEqual([]);
    expect(trace.header).toMatchObject({ claudeCodeVersion: cli.version, pid: act.wire.pid });
    const frames = trace.steps.filter((step) => step.type === 'frame');
    expect(frames).toHaveLength(act.wire.entries.length);
    expect(frames.map(({ dir }) => dir)).toEqual(
      act.wire.entries.map(({ from }) => (from === 'cli' ? 'in' : 'out')),
    );
    expect(trace.end).toMatchObject({ exitCode: 0, frames: frames.length });

    // The timeline knows what belongs together.
    const timeline = buildTimeline(trace);
    expect(
      timeline.spans.filter(({ kind }) => kind === 'tool').map(({ name, isOpen }) => [name, isOpen]),
    ).toEqual([
      ['mcp__shop__count', false],
      ['Bash', false],
      ['mcp__shop__count', false],
    ]);
    const kinds = timeline.spans
      .filter(({ toolUseId }) => toolUseId === 'toolu_scripted_0001')
      .map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['handler', 'hook', 'permission', 'tool']);
    expect(timeline.totals.errors).toBe(0);

    // Again without a CLI: the same messages, as far as they were recorded, and the same questions.
    const again: string[] = [];
    const same = await replay(
      trace,
      program((article) => `7 ${article}, token: another`, again),
    );
    expect(same.error).toBeUndefined();
    const redactor = createRedactor({ patterns: [/two \d/], values: ['planted-in-environment'] });
    expect(same.messages).toEqual(redactor.redactValue(recorded.messages));
    expect(again).toEqual(seen);
    expect(same.tape.report()).toMatchObject({ ok: true, finished: true });

    // A changed tool is found out, and nothing else.
    const changed = await replay(
      trace,
      program((article) => (article === 'pears' ? '8 pears' : `7 ${article}, token: x`)),
    );
    expect(changed.messages).toEqual(same.messages);
    expect(changed.tape.report()).toMatchObject({
      ok: false,
      finished: true,
      missing: [],
      unexpected: [],
      differences: [
        { kind: 'tool', name: 'count', toolUseId: 'toolu_scripted_0003', changes: [{ live: '8 pears' }] },
      ],
    });

    // And with nothing of the program at all.
    const taped = await replay(trace, {}, { tools: 'taped' });
    expect(taped.messages).toEqual(same.messages);
    expect(taped.tape.report()).toMatchObject({ ok: true, finished: true });
  });
}

/** Ids that the session gives to messages without one are new each time. */
function withoutUserIds(message: SDKMessage): object {
  return { ...message, user_message_uuid: undefined, user_message_uuids: undefined };
}

async function replayATalk(cli: Cli): Promise<void> {
  const script = [text('One.'), text('Two.'), text('Three.')];
  await onStage(cli, { script, options: { includePartialMessages: true } }, async (stage) => {
    const file = join(stage.home.cwd, 'talk.jsonl');
    const talk = openTalk('First.');
    const { query } = stage.start(talk.prompt, { trace: file });
    const messages = [...(await readTurn(query)).messages];
    await query.setPermissionMode('plan');
    talk.say('Second.');
    messages.push(...(await readTurn(query)).messages);
    talk.say('Third.');
    talk.end();
    messages.push(...(await readRest(query)).messages);
    expect(findFileFaults(file)).toEqual([]);

    const tape = await openTape(file, { waitMs: 10_000 });
    const replayed = createQuery({
      prompt: tape.prompt as Prompt,
      options: { includePartialMessages: true, transport: tape.transport },
    });
    const first = await readUntil(replayed, (message) => message.type === 'result');
    await replayed.setPermissionMode('plan');
    const rest = await readRest(replayed);
    expect(rest.error).toBeUndefined();
    expect([...first, ...rest.messages].map(withoutUserIds)).toEqual(messages.map(withoutUserIds));
    expect(tape.report()).toMatchObject({ ok: true, finished: true });

    // One that does not ask for the mode is told what is missing, and does not hang.
    const lazy = await openTape(file, { waitMs: 200 });
    const stuck = createQuery({ prompt: lazy.prompt as Prompt, options: { transport: lazy.transport } });
    expect((await readRest(stuck)).error).toMatchObject({
      code: 'REPLAY_STUCK',
      expected: 'the control request "set_permission_mode"',
    });
  });
}

async function replayAnInterruptedTurn(cli: Cli): Promise<void> {
  await onStage(cli, { script: [toolUse('mcp__shop__wait', {})] }, async (stage) => {
    const file = join(stage.home.cwd, 'interrupted.jsonl');
    const waiting = (): { options: Options; called: Promise<void> } => {
      let tell: () => void = () => {};
      const called = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const shop = createSdkMcpServer({
        name: 'shop',
        alwaysLoad: true,
        tools: [
          tool('wait', 'Waits', {}, (_, { signal }) => {
            tell();
            return new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
            });
          }),
        ],
      });
      return { called, options: { mcpServers: { shop }, allowedTools: [shop] } };
    };
    const live = waiting();
    const { query } = stage.start('Go.', { ...live.options, trace: file });
    const reading = readRest(query);
    await live.called;
    await query.interrupt();
    const recorded = await reading;
    expect(findFileFaults(file)).toEqual([]);

    const tape = await openTape(file, { waitMs: 10_000 });
    const again = waiting();
    const replayed = createQuery({
      prompt: tape.prompt as Prompt,
      options: { ...again.options, transport: tape.transport },
    });
    const rereading = readRest(replayed);
    await again.called;
    await replayed.interrupt();
    const { messages, error } = await rereading;
    expect(messages).toEqual(recorded.messages);
    expect(error).toEqual(recorded.error);
    expect(tape.report()).toMatchObject({ finished: true, differences: [], missing: [] });
  });
}

export const traceCases: CaseSet = {
  'a session is recorded without its secrets, fits the schema, and replays without a CLI': recordAndReplay,
  'a talk in several turns replays with its partial messages and control requests': replayATalk,
  'an interrupted turn replays': replayAnInterruptedTurn,
};
