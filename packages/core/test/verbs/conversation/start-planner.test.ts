import { describe, expect, it } from 'vitest';
import { ProcessExitError, ResultError, SessionNotFoundError } from '../../../src/errors.js';
import type { QueryOptions } from '../../../src/live/tooling/name-tools.js';
import { StartPlanner } from '../../../src/verbs/conversation/start-planner.js';

const OLD = '00000000-0000-4000-8000-00000000000c';
const CLEARED = '00000000-0000-4000-8000-00000000000d';
const missing = new ResultError('No conversation found with session ID: x', {});
const inUse = new ProcessExitError('exit', { stderrTail: 'Error: Session ID x is already in use.' });

function spoken(options: QueryOptions): StartPlanner {
  const start = new StartPlanner(options);
  start.plan();
  start.noteReady();
  start.noteWrite();
  return start;
}

describe('the start of a long session', () => {
  it('gives a session of its own an id, and leaves another’s alone', () => {
    expect(new StartPlanner({}).plan().sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(new StartPlanner({ sessionId: OLD }).sessionId).toBe(OLD);
    expect(new StartPlanner({ resume: OLD }).plan()).toEqual({ resume: OLD });
    expect(new StartPlanner({ continue: true }).sessionId).toBeUndefined();
    expect(new StartPlanner({ resume: OLD, forkSession: true }).sessionId).not.toBe(OLD);
  });

  it('is the same again until something was said, and then resumes', () => {
    const start = new StartPlanner({
      resume: OLD,
      forkSession: true,
      resumeSessionAt: 'x',
      model: 'm',
      title: 't',
    });
    const first = start.plan();
    expect([start.plan(), start.conversation]).toEqual([first, 'resumed']);
    start.noteReady();
    start.noteWrite();
    expect(start.plan()).toEqual({ resume: first.sessionId, model: 'm' });
  });

  it('follows a conversation that was cleared, and one whose id is told late', () => {
    const cleared = spoken({});
    cleared.noteId(CLEARED);
    expect(cleared.plan()).toEqual({ resume: CLEARED });
    const late = spoken({ continue: true });
    expect(late.plan()).toEqual({ continue: true });
    late.noteId(OLD);
    expect(late.plan()).toEqual({ resume: OLD });
  });

  it('begins anew what was never written down, and takes another id if it must', () => {
    const start = spoken({ sessionId: OLD });
    start.plan();
    expect(start.reconsider(missing)).toBe('again');
    expect([start.plan(), start.conversation]).toEqual([{ sessionId: OLD }, 'new']);
    expect(start.reconsider(missing)).toBeUndefined();
    expect(start.reconsider(inUse)).toBe('again');
    expect(start.plan().sessionId).not.toBe(OLD);
    // A CLI that refuses every id is not started for ever.
    expect(start.reconsider(inUse)).toBeUndefined();
  });

  it('does not forget answered turns unless it may', () => {
    const start = spoken({});
    start.noteAnswer();
    start.plan();
    expect(start.reconsider(missing)).toBeInstanceOf(SessionNotFoundError);
    expect(start.reconsider(missing, 'startAnew')).toBe('again');
  });

  it('has nothing to say about other failures, or about a session it did not start', () => {
    const start = spoken({});
    start.plan();
    expect(start.reconsider(new Error('other'))).toBeUndefined();
    expect(start.reconsider(inUse)).toBeUndefined();
    const given = new StartPlanner({ resume: OLD });
    given.plan();
    expect(given.reconsider(missing)).toBeUndefined();
  });
});
