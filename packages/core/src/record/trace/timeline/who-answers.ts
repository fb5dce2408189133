// Says what goes on while a question is open, by who answers it, and what the answer means for the call that it is about.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { Activity } from './activity.js';
import type { Beginning } from './open-activities.js';
import { isDenial, isHookDenial, readMcpAnswer, type WireQuestion } from './wire-question.js';

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

/** Whether an activity is a call, or the handler of one. */
export function isOfCall({ kind, toolUseId }: Activity): boolean {
  return (kind === 'call' || kind === 'handler') && toolUseId !== undefined;
}

/** Whether an answer says that the call must not run. */
export function deniesCall({ kind, name }: Activity, value: unknown): boolean {
  return kind === 'hook' ? name === 'PreToolUse' && isHookDenial(value) : isDenial(value);
}

/** Whether an answer says that something failed. */
export function isFailure(frame: WireObject, value: unknown): boolean {
  const response = frame['response'];
  if (isRecord(response) && response['subtype'] === 'error') return true;
  const body = readMcpAnswer(value);
  if (!isRecord(body)) return false;
  return isRecord(body['error']) || (isRecord(body['result']) && body['result']['isError'] === true);
}
