// How a query ends in the middle of a turn: asked to, or not.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { isRunning } from '../../support/is-running.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  AbortError,
  gate,
  held,
  outcomeOf,
  ProcessExitError,
  run,
  SessionClosedError,
  text,
} from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { ask, openTalk, readRest, readTurn, resultsOf, spokenIn } from '../support/talk.js';

async function abortInATurn(cli: Cli): Promise<void> {
  const door = gate();
  const script = [text('Ready.'), held(text('Too late.'), door), text('Back again.')];
  await onStage(cli, { script }, async (stage) => {
    const abortController = new AbortController();
    const sessionId = randomUUID();
    const talk = openTalk();
    const act = stage.start(talk.prompt, { abortController, sessionId });
    await ask(act, talk, 'Ready?');
    talk.say('Think.');
    const reading = readRest(act.query);
    const request = await door.reached;
    const pid = act.query.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    abortController.abort(new Error('changed my mind'));
    const late = act.query.mcpServerStatus();
    const { messages, error } = await reading;
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ code: 'ABORTED', cause: new Error('changed my mind') });
    expect(resultsOf(messages)).toEqual([]);
    expect(isRunning(pid)).toBe(false);
    expect(await request.settled).toBe('disconnected');
    await expect(late).rejects.toBeInstanceOf(SessionClosedError);

    const resumed = await run({ prompt: 'Go on.', options: stage.options({ resume: sessionId }) });
    expect(resumed).toMatchObject({ ok: true, text: 'Back again.', sessionId });
    // Of the unfinished turn it depends on the moment what was written down.
    const spoken = spokenIn(stage.lastRequest());
    expect(spoken.slice(0, 2)).toEqual(['Ready?', 'Ready.']);
    expect(spoken.at(-1)).toBe('Go on.');
  });
}

async function wedgeWithARequestOpen(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('Ready.')] }, async (stage) => {
    const talk = openTalk();
    const act = stage.start(talk.prompt);
    await ask(act, talk, 'Ready?');
    const pid = act.query.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const stoppedAt = performance.now();
    const status = act.query.mcpServerStatus();
    talk.end();
    const { error } = await readRest(act.query);
    expect(error).toBeUndefined();
    expect(isRunning(pid)).toBe(false);
    await expect(status).rejects.toBeInstanceOf(SessionClosedError);
    // It takes nine and a half seconds; the margin is for a busy machine, and still far from the minute of other requests.
    expect(performance.now() - stoppedAt).toBeLessThan(45_000);
  });
}

async function closeInATurn(cli: Cli): Promise<void> {
  const door = gate();
  await onStage(cli, { script: [held(text('Too late.'), door)] }, async (stage) => {
    const { query } = stage.start('Think.', { closeGraceMs: 250 });
    const reading = readRest(query);
    await door.reached;
    const pid = query.pid ?? 0;
    await query.close();
    expect(isRunning(pid)).toBe(false);
    const { messages, error } = await reading;
    expect(error).toBeUndefined();
    expect(resultsOf(messages)).toEqual([]);
    await expect(query.interrupt()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });
}

async function leaveTheLoop(cli: Cli): Promise<void> {
  const door = gate();
  const script = [held(text(['So ', 'long.']), { until: door, at: { insideBlock: 0 } })];
  const options = { includePartialMessages: true, closeGraceMs: 250 };
  await onStage(cli, { script, options }, async (stage) => {
    const prompt = new SleepyPrompt('Tell me.');
    const { query } = stage.start(prompt);
    let pid = 0;
    for await (const message of query) {
      pid = query.pid ?? 0;
      if (message.type === 'stream_event') break;
    }
    expect(pid).not.toBe(0);
    expect(isRunning(pid)).toBe(false);
    expect(prompt.isLeft).toBe(true);
    expect(await query.next()).toEqual({ done: true, value: undefined });
  });
}

/** Says one thing, then nothing, and never ends. */
class SleepyPrompt implements AsyncIterable<string> {
  isLeft = false;
  #words: string[];

  constructor(...words: string[]) {
    this.#words = words;
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () => {
        const value = this.#words.shift();
        return value === undefined ? new Promise(() => {}) : Promise.resolve({ done: false, value });
      },
      return: () => {
        this.isLeft = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

/** The turn ends, the process does not: the next message is answered by the same one. */
export async function interruptATurn(cli: Cli): Promise<void> {
  const door = gate();
  const script = [held(text('Too late.'), door), text('As you like.')];
  await onStage(cli, { script }, async (stage) => {
    const talk = openTalk('Count to a million.');
    const act = stage.start(talk.prompt);
    await door.reached;
    const { pid } = act.query;
    const receipt = await act.query.interrupt();
    if (cli.isNew) expect(receipt).toEqual({ still_queued: [] });
    else expect(receipt).toBeUndefined();
    const interrupted = await readTurn(act.query);
    expect(outcomeOf(interrupted.result)).toMatchObject({ ok: false, kind: 'interrupted', retryable: false });
    const next = await ask(act, talk, 'To three, then.');
    expect(next.result).toMatchObject({ subtype: 'success', result: 'As you like.' });
    expect(act.query.pid).toBe(pid);
    talk.end();
    expect(await readRest(act.query)).toMatchObject({ error: undefined });
  });
}

async function endAfterAnInterrupt(cli: Cli): Promise<void> {
  const door = gate();
  await onStage(cli, { script: [held(text('Too late.'), door)] }, async (stage) => {
    const { query } = stage.start('Count to a million.');
    const reading = readRest(query);
    await door.reached;
    await query.interrupt();
    // The newer CLI calls this an error and leaves with 1; it was asked for, so nothing is thrown.
    const { messages, error } = await reading;
    expect(error).toBeUndefined();
    expect(resultsOf(messages).map((result) => outcomeOf(result).kind)).toEqual(['interrupted']);
  });
}

/** The CLI still starts, and does not have the prompt yet. */
async function interruptAtOnce(cli: Cli): Promise<void> {
  await onStage(cli, { onExhausted: held(text('Too late.'), gate()) }, async (stage) => {
    const { query } = stage.start('Count to a million.');
    const receipt = query.interrupt();
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    expect(resultsOf(messages).map((result) => outcomeOf(result).kind)).toEqual(['interrupted']);
    await receipt;
  });
}

async function crashInATurn(cli: Cli): Promise<void> {
  const door = gate();
  await onStage(cli, { script: [held(text('Too late.'), door)] }, async (stage) => {
    const { query } = stage.start('Think.');
    const reading = readRest(query);
    await door.reached;
    const pending = query.mcpServerStatus();
    process.kill(query.pid ?? 0, 'SIGKILL');
    const { messages, error } = await reading;
    expect(resultsOf(messages)).toEqual([]);
    expect(error).toBeInstanceOf(ProcessExitError);
    const facts = { code: 'PROCESS_KILLED', signal: 'SIGKILL', phase: 'running', retryable: true };
    expect(error).toMatchObject(facts);
    // Answered before the end or rejected with the same error: it has settled.
    await pending.catch((reason: unknown) => expect(reason).toBe(error));
  });
}

async function failAtTheStart(cli: Cli): Promise<void> {
  await onStage(cli, {}, async (stage) => {
    const { query } = stage.start('Hi', { extraArgs: { 'no-such-flag': null } });
    const handshake = query.initializationResult();
    const { messages, error } = await readRest(query);
    expect(messages).toEqual([]);
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({ code: 'PROCESS_EXITED', exitCode: 1, phase: 'handshake' });
    expect((error as ProcessExitError).stderrTail).toContain("unknown option '--no-such-flag'");
    await expect(handshake).rejects.toBe(error);
  });
}

/** Takes its time. */
export const wedgedCases: CaseSet = {
  'a CLI that is wedged after its result, with a request open, is ended': wedgeWithARequestOpen,
};

export const queryEndCases: CaseSet = {
  'ends by abort, and the session can be resumed': abortInATurn,
  'ends by close()': closeInATurn,
  'ends when the loop is left': leaveTheLoop,
  'interrupts a turn and goes on': interruptATurn,
  'ends without an error after an interrupted turn': endAfterAnInterrupt,
  'is interrupted before its CLI has the prompt': interruptAtOnce,
  'fails when the CLI is killed': crashInATurn,
  'fails when the CLI refuses to start': failAtTheStart,
};
