// Permission questions and every way to answer them: at once, later, never, after a restart.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { replayPermissions } from '../../../packages/core/src/answer/permissions/replay-permissions.js';
import { splitRules } from '../../../packages/core/src/answer/permissions/tool-rules.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  allow,
  answerPermission,
  answerQuestions,
  createSdkMcpServer,
  deny,
  outcomeOf,
  reply,
  text,
  tool,
  toolUse,
} from '../support/inboard.js';
import type { CanUseTool, HookCallback, Options, PendingPermission } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { readRest, resultsOf } from '../support/talk.js';

const bash = (command: string) => toolUse('Bash', { command });
const isMade = (stage: Stage, name: string): boolean => existsSync(join(stage.home.cwd, name));
const resultsIn = (stage: Stage) => stage.model.conversation.flatMap(({ toolResults }) => toolResults);

/** A callback that leaves every question open, and a promise of the first `count` of them. */
function leaveOpen(count: number): { canUseTool: CanUseTool; asked: Promise<void> } {
  let tell: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  let left = count;
  const canUseTool: CanUseTool = () => {
    left -= 1;
    if (left === 0) tell();
    return Promise.resolve(null);
  };
  return { canUseTool, asked };
}

async function denyAndInterrupt(cli: Cli): Promise<void> {
  await onStage(cli, { script: [bash('touch made')] }, async (stage) => {
    const canUseTool: CanUseTool = () => Promise.resolve(deny('Stop it all.', { interrupt: true }));
    const { messages } = await readRest(stage.start('Go.', { canUseTool }).query);
    expect(resultsOf(messages).map((result) => outcomeOf(result).kind)).toEqual(['interrupted']);
    expect(stage.model.conversation).toHaveLength(1);
    expect(isMade(stage, 'made')).toBe(false);
  });
}

async function refuseNonsense(cli: Cli): Promise<void> {
  const answers: Record<string, unknown> = {
    'touch undefined': undefined,
    'touch yes': true,
    'touch maybe': { behavior: 'maybe' },
    'touch text': { behavior: 'allow', updatedInput: 'rm' },
    'touch big': { behavior: 'allow', updatedInput: { command: 1n } },
  };
  const canUseTool = ((_name, input) => Promise.resolve(answers[String(input['command'])])) as CanUseTool;
  const script = [...Object.keys(answers).map(bash), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    expect((await readRest(stage.start('Go.', { canUseTool }).query)).error).toBeUndefined();
    expect(resultsIn(stage).map(({ isError }) => isError)).toEqual(Object.keys(answers).map(() => true));
    expect(['undefined', 'yes', 'maybe', 'text', 'big'].filter((name) => isMade(stage, name))).toEqual([]);
    expect(resultsIn(stage)[2]?.text).toContain('The permission callback failed');
  });
}

async function answerLater(cli: Cli): Promise<void> {
  const said: string[] = [];
  const schema = { type: 'object', properties: { words: { type: 'string' } } } as const;
  const say = (input: Record<string, unknown>): string => {
    said.push(String(input['words']));
    return 'said';
  };
  // The CLI asks about several calls at once only where they may run at once.
  const speak = tool('speak', 'Speaks.', schema, say, { annotations: { readOnlyHint: true } });
  const server = createSdkMcpServer({ name: 'local', tools: [speak] });
  const words = ['one', 'two', 'three'];
  const calls = reply(...words.map((each) => toolUse('mcp__local__speak', { words: each })));
  await onStage(cli, { script: [calls, text('Done.')] }, async (stage) => {
    const { canUseTool, asked } = leaveOpen(3);
    const { query } = stage.start('Go.', { canUseTool, mcpServers: { local: server } });
    const reading = readRest(query);
    await asked;
    const pending = query.pendingPermissions();
    expect(pending.map(({ input }) => input['words'])).toEqual(words);
    // The last one first: they do not wait for each other.
    for (const { requestId, input } of pending.slice(1).toReversed())
      expect(answerPermission(requestId, allow({ input: { words: `${String(input['words'])}!` } }))).toBe(
        true,
      );
    expect(query.pendingPermissions()).toEqual(pending.slice(0, 1));
    expect(answerPermission(pending[0]?.requestId ?? '', deny('Enough.'))).toBe(true);
    expect((await reading).error).toBeUndefined();
    expect(said.toSorted()).toEqual(['three!', 'two!']);
    expect(resultsIn(stage).map(({ isError }) => isError)).toEqual([true, false, false]);
    expect(answerPermission(pending[0]?.requestId ?? '', allow())).toBe(false);
  });
}

async function withdrawWhatIsLeftOpen(cli: Cli): Promise<void> {
  await onStage(cli, { script: [bash('touch made')] }, async (stage) => {
    const { canUseTool, asked } = leaveOpen(1);
    const { query } = stage.start('Go.', { canUseTool });
    const reading = readRest(query);
    await asked;
    const [pending] = query.pendingPermissions();
    await query.interrupt();
    await reading;
    expect(query.pendingPermissions()).toEqual([]);
    expect(answerPermission(pending?.requestId ?? '', allow())).toBe(false);
    expect(isMade(stage, 'made')).toBe(false);
  });
}

async function answerAfterARestart(cli: Cli): Promise<void> {
  const script = [bash('touch made'), bash('touch made'), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const { canUseTool, asked } = leaveOpen(1);
    let transcript = '';
    const note: HookCallback = ({ transcript_path }) => {
      transcript = transcript_path;
      return Promise.resolve({});
    };
    const first = stage.start('Go.', { canUseTool, hooks: { PreToolUse: [{ hooks: [note] }] } });
    const reading = readRest(first.query);
    await asked;
    // The CLI writes a little later than it asks, and what is not written cannot be resumed.
    while (!(await readFile(transcript, 'utf8').catch(() => '')).includes('toolu_scripted_0001'));
    const written = JSON.stringify(first.query.pendingPermissions());
    // What is written so far is all there is when a host, and with it the CLI, is killed.
    process.kill(first.query.pid ?? 0, 'SIGKILL');
    const { messages, error } = await reading;
    expect(error).toMatchObject({ code: 'PROCESS_KILLED' });
    const resume = messages.find((message) => message.type === 'system')?.session_id ?? '';

    const decisions = (JSON.parse(written) as PendingPermission[]).map((pending) => ({
      ...pending,
      result: allow(),
    }));
    const second = stage.start('You may. Try again.', { resume, canUseTool: replayPermissions(decisions) });
    expect((await readRest(second.query)).error).toBeUndefined();
    // The question itself is not asked again; the model must make the call anew.
    expect(second.wire.requests('cli', 'can_use_tool')).toMatchObject([
      { tool_use_id: 'toolu_scripted_0002' },
    ]);
    expect(isMade(stage, 'made')).toBe(true);
  });
}

async function answerTheModelsQuestions(cli: Cli): Promise<void> {
  const question = (words: string, multiSelect: boolean) => ({
    question: words,
    header: 'Choice',
    options: [
      { label: 'Tea', description: 'Hot' },
      { label: 'Milk', description: 'Cold' },
    ],
    multiSelect,
  });
  const input = { questions: [question('Which one?', false), question('Which ones?', true)] };
  const canUseTool: CanUseTool = (name, asked) => {
    expect(name).toBe('AskUserQuestion');
    return Promise.resolve(answerQuestions(asked, { 'Which one?': 'Tea', 'Which ones?': ['Tea', 'Milk'] }));
  };
  await onStage(cli, { script: [toolUse('AskUserQuestion', input), text('Done.')] }, async (stage) => {
    expect((await readRest(stage.start('Go.', { canUseTool }).query)).error).toBeUndefined();
    const [result] = resultsIn(stage);
    expect(result).toMatchObject({ isError: false });
    expect(result?.text).toContain('"Which one?"="Tea"');
    expect(result?.text).toContain('"Which ones?"="Tea, Milk"');
  });
}

async function knowWhoAsks(cli: Cli): Promise<void> {
  const agents: (string | undefined)[] = [];
  const order = {
    description: 'd',
    prompt: 'CHILD',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  const plan = {
    conversations: [{ when: /CHILD/, script: [toolUse('mcp__local__who'), text('Child done.')] }],
    script: [bash('touch made'), toolUse('Task', order), text('Done.')],
  };
  await onStage(cli, plan, async (stage) => {
    let caller: string | undefined;
    const who = tool('who', 'Tells who calls.', {}, (_input, { agentId }) => {
      caller = agentId;
      return 'known';
    });
    const { query } = stage.start('Go.', {
      mcpServers: { local: createSdkMcpServer({ name: 'local', tools: [who] }) },
      canUseTool: (_name, _input, { agentID }) => {
        agents.push(agentID);
        return Promise.resolve(allow());
      },
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(agents.at(0)).toBeUndefined();
    expect(agents.at(-1)).toEqual(expect.stringMatching(/^a/));
    // 2.1.33 does not show the agent's own id with its messages: the call that made it stands for it.
    expect(caller).toBe(cli.isOld ? 'toolu_scripted_0002' : agents.at(-1));
  });
}

async function keepToTheMode(cli: Cli): Promise<void> {
  // A command that changes files: while it plans, the newest CLI refuses it by itself, and 2.1.33 asks.
  const isOld = cli.isOld;
  const modes: [Options, asked: boolean, ran: boolean][] = [
    [{ permissionMode: 'dontAsk' }, false, false],
    [{ permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true }, false, true],
    [{ permissionMode: 'acceptEdits' }, false, true],
    [{ permissionMode: 'plan' }, isOld, isOld],
  ];
  for (const [options, isAsked, runs] of modes) {
    await onStage(cli, { script: [bash('touch made'), text('Done.')] }, async (stage) => {
      let asked = false;
      const canUseTool: CanUseTool = () => {
        asked = true;
        return Promise.resolve(allow());
      };
      await readRest(stage.start('Go.', { ...options, canUseTool }).query);
      expect({ ...options, asked, ran: isMade(stage, 'made') }).toEqual({
        ...options,
        asked: isAsked,
        ran: runs,
      });
    });
  }
}

// The raw list shows how the CLI cuts it; what Inboard refuses follows from that.
async function cutListsOfRules(cli: Cli): Promise<void> {
  const list =
    'Skill(a) Bash(frob:*),Skill(b(c),d),Bash(frab:*),Skill(e\\),Bash(frib:*),Read\nBash(frub:*),' +
    'Skill(f\uff09\uff0cBash\uff08frxb:*),Skill(g,Bash(freb:*)';
  const commands = ['frob', 'frab', 'frib', 'frub', 'frxb', 'freb'];
  await onStage(cli, { script: [reply(...commands.map(bash)), text('Done.')] }, async (stage) => {
    const asked: unknown[] = [];
    const canUseTool: CanUseTool = (_name, { command }) => {
      asked.push(command);
      return Promise.resolve(deny('No.'));
    };
    await readRest(stage.start('Go.', { canUseTool, extraArgs: { allowedTools: list } }).query);
    expect(commands.filter((command) => !asked.includes(command))).toEqual(['frob', 'frab', 'frib']);
    const allowed = splitRules([list]).filter((rule) => /^Bash\([^()]*\)$/.test(rule));
    expect(allowed).toEqual(['Bash(frob:*)', 'Bash(frab:*)', 'Bash(frib:*)']);
    const start = (options: Options): unknown => stage.start('Go.', options);
    expect(() => start({ skills: ['pdf),Bash(frob:*'] })).toThrow('index 0');
    expect(() => start({ allowedTools: ['Read', 'Bash (frob:*)'] })).toThrow('index 1');
  });
}

/** The text is the same whether the tool refuses the input or the check before the question does. */
async function refuseInput(cli: Cli): Promise<void> {
  const count = tool('count', 'Counts', { article: 'string' }, () => 7);
  const mcpServers = { shop: createSdkMcpServer({ name: 'shop', tools: [count] }) };
  const script = [toolUse('mcp__shop__count', { article: 3 }), text('Done.')];
  const seen: unknown[] = [];
  for (const canUseTool of [() => Promise.resolve(allow()), () => Promise.resolve(null)]) {
    await onStage(cli, { script, options: { mcpServers } }, async (stage) => {
      expect((await readRest(stage.start('Go.', { canUseTool }).query)).error).toBeUndefined();
      const [result] = resultsIn(stage);
      expect(result?.isError).toBe(true);
      seen.push(JSON.stringify(result?.content));
    });
  }
  for (const content of seen)
    expect(content).toContain('The arguments of the tool \\"count\\" are not valid');
}

export const permissionCases: CaseSet = {
  'asks nobody about an input that the tool refuses': refuseInput,
  'reads lists of rules as the CLI does': cutListsOfRules,
  'ends the turn with a denial that says so': denyAndInterrupt,
  'denies when the callback makes no sense': refuseNonsense,
  'answers later, by id, in any order': answerLater,
  'forgets a question that was left open and is withdrawn': withdrawWhatIsLeftOpen,
  'answers the questions of the model': answerTheModelsQuestions,
  'tells which agent asks': knowWhoAsks,
};

/** Those that start the CLI several times. */
export const slowPermissionCases: CaseSet = {
  'answers from what was written down before a restart': answerAfterARestart,
  'asks as the mode says': keepToTheMode,
};
