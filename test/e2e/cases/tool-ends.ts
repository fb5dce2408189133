// What becomes of a call that is under way when something ends: the turn, the query, the CLI.
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  AbortError,
  createSdkMcpServer,
  outcomeOf,
  ProcessExitError,
  reply,
  text,
  tool,
  toolUse,
} from '../support/inboard.js';
import type { Options, SdkMcpServer, SessionToolEvent } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import type { StagePlan } from '../support/stage.js';
import { ask, openTalk, readRest, readTurn, resultsOf } from '../support/talk.js';

/** A server whose tool never answers by itself, and what is known of its calls. */
class SlowServer {
  readonly server: SdkMcpServer;
  readonly signals: AbortSignal[] = [];
  readonly events: SessionToolEvent[] = [];
  /** Resolves when so many calls are under way. */
  readonly started: Promise<void>;

  constructor(calls = 1) {
    let tellStarted: () => void = () => {};
    this.started = new Promise((resolve) => {
      tellStarted = resolve;
    });
    const wait = tool.readOnly('wait', 'Waits', {}, (_args, { signal }) => {
      this.signals.push(signal);
      if (this.signals.length === calls) tellStarted();
      return new Promise(() => {});
    });
    const ping = tool('ping', 'Answers', {}, () => 'pong');
    this.server = createSdkMcpServer({ name: 'slow', tools: [wait, ping] });
  }

  get options(): Options {
    return {
      mcpServers: { slow: this.server },
      allowedTools: ['mcp__slow'],
      onToolEvent: (event) => void this.events.push(event),
      closeGraceMs: 250,
    };
  }

  get aborted(): boolean[] {
    return this.signals.map((signal) => signal.aborted);
  }

  get endings(): string[] {
    return this.events.filter(({ type }) => type !== 'start').map(({ type }) => type);
  }
}

function planFor(slow: SlowServer, ...script: NonNullable<StagePlan['script']>): StagePlan {
  return { script, options: slow.options };
}

async function interruptCalls(cli: Cli): Promise<void> {
  const slow = new SlowServer(2);
  const twice = reply(toolUse('mcp__slow__wait'), toolUse('mcp__slow__wait'));
  const plan = planFor(slow, twice, toolUse('mcp__slow__ping'), text('Better.'));
  await onStage(cli, plan, async (stage) => {
    const talk = openTalk('Wait twice.');
    const act = stage.start(talk.prompt);
    await slow.started;
    await act.query.interrupt();
    const { result } = await readTurn(act.query);
    expect(outcomeOf(result).kind).toBe('interrupted');
    expect(slow.aborted).toEqual([true, true]);
    expect(slow.endings).toEqual(['cancelled', 'cancelled']);
    const cancelled = act.wire.mcpMessages().filter(({ method }) => method === 'notifications/cancelled');
    expect(cancelled).toHaveLength(2);
    // Each call has its one answer, and the server works as before.
    expect(act.wire.listUnanswered()).toEqual([]);
    expect((await ask(act, talk, 'Then ping.')).result).toMatchObject({ result: 'Better.' });
    expect(stage.lastRequest().toolResults).toMatchObject([{ text: 'pong' }]);
    talk.end();
    expect(await readRest(act.query)).toMatchObject({ error: undefined });
  });
}

async function closeDuringACall(cli: Cli): Promise<void> {
  const slow = new SlowServer();
  await onStage(cli, planFor(slow, toolUse('mcp__slow__wait')), async ({ start }) => {
    const { query } = start('Wait.');
    const reading = readRest(query);
    await slow.started;
    const closed = query.close();
    // At once, not when the child is gone.
    expect(slow.aborted).toEqual([true]);
    await closed;
    const { messages, error } = await reading;
    expect(error).toBeUndefined();
    expect(resultsOf(messages)).toEqual([]);
    expect(slow.endings).toEqual(['cancelled']);
  });
}

async function abortDuringACall(cli: Cli): Promise<void> {
  const slow = new SlowServer();
  await onStage(cli, planFor(slow, toolUse('mcp__slow__wait')), async ({ start }) => {
    const abortController = new AbortController();
    const { query } = start('Wait.', { abortController });
    const reading = readRest(query);
    await slow.started;
    abortController.abort();
    expect(slow.aborted).toEqual([true]);
    expect((await reading).error).toBeInstanceOf(AbortError);
  });
}

async function crashDuringACall(cli: Cli): Promise<void> {
  const slow = new SlowServer();
  await onStage(cli, planFor(slow, toolUse('mcp__slow__wait')), async ({ start }) => {
    const { query } = start('Wait.');
    const reading = readRest(query);
    await slow.started;
    expect(slow.aborted).toEqual([false]);
    process.kill(query.pid ?? 0, 'SIGKILL');
    const { error } = await reading;
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({ code: 'PROCESS_KILLED', signal: 'SIGKILL', phase: 'running' });
    expect(slow.aborted).toEqual([true]);
    expect(slow.signals[0]?.reason).toBe(error);
    expect(slow.endings).toEqual(['cancelled']);
  });
}

export const toolEndCases: CaseSet = {
  'cancels calls when the turn is interrupted, and goes on': interruptCalls,
  'cancels a call when the query is closed': closeDuringACall,
  'cancels a call when the query is aborted': abortDuringACall,
  'cancels a call when the CLI dies': crashDuringACall,
};
