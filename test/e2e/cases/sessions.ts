// Sessions beyond one query: going on with one, branching off, choosing its id.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { ProcessExitError, ResultError, run, text } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { kindsOf, readRest, spokenIn } from '../support/talk.js';

async function resumeAndFork(cli: Cli): Promise<void> {
  const script = [text('A secret.'), text('The same.'), text('Another.'), text('The latest.')];
  await onStage(cli, { script }, async (stage) => {
    const sessionId = randomUUID();
    const first = await run({ prompt: 'Tell me one.', options: stage.options({ sessionId }) });
    expect(first.sessionId).toBe(sessionId);
    expect(stage.lastRequest().sessionId).toBe(sessionId);

    const resumed = await run({ prompt: 'Which was it?', options: stage.options({ resume: sessionId }) });
    expect(resumed).toMatchObject({ text: 'The same.', sessionId });
    expect(spokenIn(stage.lastRequest())).toEqual(['Tell me one.', 'A secret.', 'Which was it?']);

    const forked = await run({
      prompt: 'And another?',
      options: stage.options({ resume: sessionId, forkSession: true }),
    });
    expect(forked.text).toBe('Another.');
    expect(forked.sessionId).not.toBe(sessionId);
    const before = ['Tell me one.', 'A secret.', 'Which was it?', 'The same.'];
    expect(spokenIn(stage.lastRequest())).toEqual([...before, 'And another?']);

    const latest = await run({ prompt: 'Still there?', options: stage.options({ continue: true }) });
    expect(latest.sessionId).toBe(forked.sessionId);
    expect(spokenIn(stage.lastRequest())).toEqual([...before, 'And another?', 'Another.', 'Still there?']);
  });
}

async function refuseAnIdInUse(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('Mine.')] }, async (stage) => {
    const sessionId = randomUUID();
    await run({ prompt: 'Hi', options: stage.options({ sessionId }) });
    const { messages, error } = await readRest(stage.start('Hi', { sessionId }).query);
    expect(messages).toEqual([]);
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({ code: 'PROCESS_EXITED', exitCode: 1, phase: 'handshake' });
    expect((error as ProcessExitError).stderrTail).toContain('already in use');
  });
}

async function refuseAnUnknownSession(cli: Cli): Promise<void> {
  await onStage(cli, {}, async (stage) => {
    const resume = randomUUID();
    const { messages, error } = await readRest(stage.start('Hi', { resume }).query);
    expect(kindsOf(messages)).toEqual(['result/error_during_execution']);
    expect(error).toBeInstanceOf(ResultError);
    expect((error as ResultError).message).toContain(`No conversation found with session ID: ${resume}`);
  });
}

export const sessionCases: CaseSet = {
  'resumes, forks and continues a session': resumeAndFork,
  'says why a session id cannot be used again': refuseAnIdInUse,
  'says that a session to resume is not there': refuseAnUnknownSession,
};
