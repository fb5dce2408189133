// A resume that started something else.
import { describe, expect, it } from 'vitest';
import { SessionNotFoundError } from '../../../src/errors.js';
import { detectResumeMismatch } from '../../../src/record/history/resume-mismatch.js';
import { idOf, SESSION } from './support/entries.js';

describe('detectResumeMismatch', () => {
  it('reports another session than the one asked for', () => {
    const error = detectResumeMismatch({ asked: { resume: SESSION }, init: { session_id: idOf(2) } });
    expect(error).toBeInstanceOf(SessionNotFoundError);
    expect(error).toMatchObject({ code: 'SESSION_NOT_FOUND', sessionId: SESSION, startedSessionId: idOf(2) });
    expect(error?.message).toMatch(
      /asked to resume session .*0001 and started .*0002 instead.*CLAUDE_CONFIG_DIR/s,
    );
  });

  it.each([
    ['the same session', { resume: SESSION }, SESSION],
    [
      'the same in other letters',
      { resume: 'AAAAAAAA-0000-4000-8000-000000000001' },
      'aaaaaaaa-0000-4000-8000-000000000001',
    ],
    ['a fork', { resume: SESSION, forkSession: true }, idOf(2)],
    ['a title in place of an id', { resume: 'my title' }, idOf(2)],
    ['nothing to resume', {}, idOf(2)],
    ['an id it cannot read', { resume: SESSION }, 'x'],
  ])('has nothing to say about %s', (_, asked, sessionId) => {
    expect(detectResumeMismatch({ asked, init: { session_id: sessionId } })).toBeUndefined();
  });
});
