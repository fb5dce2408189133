// Tools that are `parallel`: the CLI runs their calls side by side, and asks about them as about tools that change something.
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { allow, createSdkMcpServer, deny, reply, text, tool, toolUse } from '../support/inboard.js';
import type { CanUseTool, Options } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { ask, openTalk, readRest } from '../support/talk.js';

const CREATE = 'mcp__board__create';
const create = (title: string) => toolUse(CREATE, { title });
const both = reply(create('a'), create('b'));

/** A server whose tool returns only when `guests` calls of it are in its handler. */
function openBoard(guests: number) {
  const here: (() => void)[] = [];
  const ran: string[] = [];
  const createTicket = tool({
    name: 'create',
    description: 'Creates a ticket.',
    inputSchema: { title: 'string' },
    parallel: true,
    run: async ({ title }) => {
      ran.push(title);
      await new Promise<void>((resolve) => {
        here.push(resolve);
        if (here.length >= guests) for (const leave of here) leave();
      });
      return `created ${title}`;
    },
  });
  const mcpServers = { board: createSdkMcpServer({ name: 'board', tools: [createTicket] }) };
  return { ran, mcpServers };
}

async function runSideBySide(cli: Cli): Promise<void> {
  // If the CLI ran one call after the other, the first would never end.
  const { ran, mcpServers } = openBoard(2);
  await onStage(cli, { script: [both, text('Done.')] }, async (stage) => {
    const options = { mcpServers, allowedTools: ['mcp__board'] };
    const { query, warnings } = stage.start('Go.', options);
    expect((await readRest(query)).error).toBeUndefined();
    expect(ran.toSorted()).toEqual(['a', 'b']);
    expect(warnings).toEqual([]);
  });
}

async function askSideBySide(cli: Cli): Promise<void> {
  const { ran, mcpServers } = openBoard(1);
  // Both questions are open before one of them is answered.
  const open: (() => void)[] = [];
  const canUseTool: CanUseTool = async () => {
    await new Promise<void>((resolve) => {
      open.push(resolve);
      if (open.length === 2) for (const answer of open) answer();
    });
    return allow();
  };
  await onStage(cli, { script: [both, text('Done.')] }, async (stage) => {
    await readRest(stage.start('Go.', { mcpServers, canUseTool }).query);
    expect(ran.toSorted()).toEqual(['a', 'b']);
  });
}

async function askWhilePlanning(cli: Cli): Promise<void> {
  // 2.1.33 does not ask about what a rule allows, whatever the tool, and has no mode in which it would.
  const ways: Options[] = [
    { permissionMode: 'plan' },
    { settings: { permissions: { defaultMode: 'plan' } } },
    ...(cli.isOld ? [] : [{ permissionMode: 'plan' as const, allowedTools: [CREATE] }]),
  ];
  for (const way of ways) {
    const { ran, mcpServers } = openBoard(1);
    await onStage(cli, { script: [both, text('Done.')] }, async (stage) => {
      const asked: string[] = [];
      const canUseTool: CanUseTool = (_name, { title }) => {
        asked.push(String(title));
        return Promise.resolve(title === 'a' ? allow() : deny('Not this one.'));
      };
      await readRest(stage.start('Go.', { ...way, mcpServers, canUseTool }).query);
      expect({ ...way, asked: asked.toSorted(), ran }).toEqual({ ...way, asked: ['a', 'b'], ran: ['a'] });
    });
  }
}

async function askOnceThePlanBegins(cli: Cli): Promise<void> {
  const { ran, mcpServers } = openBoard(1);
  const script = [create('first'), text('One.'), both, text('Done.')];
  await onStage(cli, { script, options: { mcpServers, allowedTools: [CREATE] } }, async (stage) => {
    const asked: unknown[] = [];
    const canUseTool: CanUseTool = (_name, { title }) => {
      asked.push(title);
      return Promise.resolve(deny('Not now.'));
    };
    const talk = openTalk();
    const act = stage.start(talk.prompt, { canUseTool });
    await ask(act, talk, 'Go.');
    await act.query.setPermissionMode('plan');
    await ask(act, talk, 'Go on.');
    talk.end();
    await readRest(act.query);
    // 2.1.33 does not ask about what a rule allows, whatever the tool.
    expect(asked.length).toBe(cli.isOld ? 0 : 2);
    expect(ran).toEqual(cli.isOld ? ['first', 'a', 'b'] : ['first']);
  });
}

async function nameItTruly(cli: Cli): Promise<void> {
  const { mcpServers } = openBoard(1);
  await onStage(cli, { script: [create('a'), text('Done.')], options: { mcpServers } }, async (stage) => {
    const talk = openTalk();
    const act = stage.start(talk.prompt, { allowedTools: [CREATE] });
    await ask(act, talk, 'Go.');
    const [board] = await act.query.mcpServerStatus();
    expect(board?.tools).toMatchObject([{ name: 'create', annotations: {} }]);
    expect(board?.tools?.[0]?.annotations).not.toHaveProperty('readOnly');
    talk.end();
    await readRest(act.query);
  });
}

/** These switch hooks off, and with them the guard. */
async function refuseWithoutHooks(cli: Cli): Promise<void> {
  const { ran, mcpServers } = openBoard(1);
  const env = cli.isOld ? {} : { CLAUDE_CODE_SIMPLE: '1' };
  const off: Options = cli.isOld ? { settings: { disableAllHooks: true } } : {};
  await onStage(cli, { script: [create('a'), text('Done.')], env }, async (stage) => {
    const { query, warnings } = stage.start('Go.', { ...off, mcpServers, allowedTools: [CREATE] });
    await readRest(query);
    expect(ran).toEqual([]);
    expect(warnings.map(({ code }) => code)).toContain('PARALLEL_CALL_REFUSED');
    expect(stage.lastRequest().toolResults[0]?.text).toContain('the CLI runs no hooks');
  });
}

export const parallelToolCases: CaseSet = {
  'runs calls of a parallel tool side by side': runSideBySide,
  'asks about calls of a parallel tool side by side': askSideBySide,
  'asks about a parallel tool as soon as it plans': askOnceThePlanBegins,
  'does not report a parallel tool as read-only': nameItTruly,
};

/** Those that start the CLI several times, or in an odd way. */
export const slowParallelToolCases: CaseSet = {
  'runs no parallel tool without a question while it plans': askWhilePlanning,
  'refuses calls of a parallel tool that no hook has seen': refuseWithoutHooks,
};
