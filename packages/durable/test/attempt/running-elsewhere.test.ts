// Which errors say that another CLI of this machine has the session.
import { expect, it } from 'vitest';
import { LaunchError, ProcessExitError, SessionClosedError } from '../../../core/src/errors.js';
import { saysRunning } from '../../src/attempt/running-elsewhere.js';

const exited = (stderrTail: string): ProcessExitError =>
  Object.assign(Object.create(ProcessExitError.prototype) as ProcessExitError, { stderrTail });
const closed = (cause: unknown): SessionClosedError => new SessionClosedError('It is closed', { cause });

it.each<[string, unknown, boolean]>([
  ['a CLI was not started for it', new LaunchError('SESSION_RUNNING', 'It runs'), true],
  ['a CLI could not be started', new LaunchError('SPAWN_FAILED', 'It cannot'), false],
  ['a CLI ended for it', exited('Error: Session ID x is already in use.'), true],
  ['a CLI ended for another reason', exited('Error: no such option'), false],
  ['a session ended with the CLI', closed(exited('Error: Session ID x is already in use.')), true],
  ['a session was closed', closed(undefined), false],
  ['something else happened', new Error('already in use'), false],
])('knows whether %s', (_, error, expected) => {
  expect(saysRunning(error)).toBe(expected);
});
