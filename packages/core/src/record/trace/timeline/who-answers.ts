// Says what goes on while a question is open, by who answers it, and whether the answer is a failure.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { Beginning } from './open-activities.js';
import { readMcpAnswer, type WireQuestion } from './wire-question.js';

/** What goes on while a request of the CLI is open. */
export function whoAnswers({ kind }: WireQuestion): Pick<Beginning, 'kind' | 'share'> {
  switch (kind) {
    case 'permission':
    case 'dialog':
      return { kind: 'question', share: 'permission' };
    case 'hook':
      return { kind: 'hook', share: 'hooks' };
    case 'tool':
      return { kind: 'handler', share: 'code' };
    default:
      return { kind: 'server', share: 'code' };
  }
}

/** What goes on while a question of the inspector is open. A pending call waits for the program, not for a person. */
export function whoSettles(kind: string): Pick<Beginning, 'share'> & { kind: 'question' | 'handler' } {
  return kind === 'pending' ? { kind: 'handler', share: 'code' } : { kind: 'question', share: 'permission' };
}

/** Whether an answer says that something failed. */
export function isFailure(frame: WireObject, value: unknown): boolean {
  const response = frame['response'];
  if (isRecord(response) && response['subtype'] === 'error') return true;
  const body = readMcpAnswer(value);
  if (!isRecord(body)) return false;
  return isRecord(body['error']) || (isRecord(body['result']) && body['result']['isError'] === true);
}
