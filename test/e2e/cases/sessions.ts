// Sessions beyond one query: going on with one, branching off, choosing its id.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  openSession,
  ProcessExitError,
  ResultError,
  run,
  SessionNotFoundError,
  text,
} from '../support/inboard.js';
import type { Options } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { kindsOf, readRest, resultsOf, spokenIn } from '../support/talk.js';

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

    // The other two verbs, as docs/sessions.md says.
    const options = stage.options({ resume });
    await using session = openSession({ options });
    const [ofRun, ofTurn] = await Promise.allSettled([
      run({ prompt: 'Hi', options }),
      session.send('Hi').outcome(),
    ]);
    expect(ofRun).toMatchObject({ reason: { name: 'RunError', code: 'EXECUTION_ERROR' } });
    expect(ofTurn).toMatchObject({ reason: { name: 'SessionClosedError', cause: { name: 'ResultError' } } });
  });
}

async function resumeAtAMessage(cli: Cli): Promise<void> {
  const script = [text('A secret.'), text('The same.'), text('Another.')];
  await onStage(cli, { script }, async (stage) => {
    const first = await readRest(stage.start('Tell me one.').query);
    const told = first.messages.find(({ type }) => type === 'assistant');
    const resume = told?.session_id ?? '';
    await run({ prompt: 'Which was it?', options: stage.options({ resume }) });
    expect(spokenIn(stage.lastRequest())).toHaveLength(3);

    const again = { resume, resumeSessionAt: told?.uuid ?? '', forkSession: true };
    const branch = await run({ prompt: 'Tell me another.', options: stage.options(again) });
    expect(branch.text).toBe('Another.');
    expect(branch.sessionId).not.toBe(resume);
    expect(spokenIn(stage.lastRequest())).toEqual(['Tell me one.', 'A secret.', 'Tell me another.']);
  });
}

// Neither CLI does this by itself when it is given an id: both refuse one they do not find. A wrapper that loses
// an argument makes them do it.
async function reportAnotherSession(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('Nice to meet you.')] }, async (stage) => {
    const resume = randomUUID();
    const spawnClaudeCodeProcess: Options['spawnClaudeCodeProcess'] = ({ command, args, cwd, env, signal }) =>
      spawn(
        command,
        args.filter((argument) => !argument.includes(resume)),
        { cwd, env, signal },
      );
    const wrapped = { spawnClaudeCodeProcess, claudeCodeVersion: cli.version };
    const { query, warnings } = stage.start('Remember me?', { resume, ...wrapped });
    const { messages, error } = await readRest(query);
    expect(error, 'the run itself is no failure').toBeUndefined();
    const [result] = resultsOf(messages);
    expect(result).toMatchObject({ result: 'Nice to meet you.' });
    expect(result?.session_id).not.toBe(resume);
    expect(warnings).toMatchObject([{ code: 'SESSION_NOT_FOUND' }]);
    expect(warnings[0]?.error).toBeInstanceOf(SessionNotFoundError);
    expect(warnings[0]?.error).toMatchObject({ sessionId: resume, startedSessionId: result?.session_id });
  });
}

export const sessionCases: CaseSet = {
  'resumes, forks and continues a session': resumeAndFork,
  'says why a session id cannot be used again': refuseAnIdInUse,
  'says that a session to resume is not there': refuseAnUnknownSession,
  'goes on from a message in the middle': resumeAtAMessage,
  'reports that another session was started than the one to resume': reportAnotherSession,
};
