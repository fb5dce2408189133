// Turns the outcome of a turn into the answer to its prompt: a stop reason, or a refusal that says what went wrong.
import type { StopReason } from '@agentclientprotocol/sdk';
import type { Outcome } from '@inboard/core/live/output/outcome.js';
import { EDITOR_LOGIN_ADVICE, AcpRefusal } from './acp-refusal.js';

/** The reason why a turn stopped. Throws an AcpRefusal if the turn failed. */
export function stopReasonOf(outcome: Outcome): StopReason {
  switch (outcome.kind) {
    case 'ok':
      return reasonOfModel(outcome.raw.stop_reason);
    case 'interrupted':
      return 'cancelled';
    case 'max_turns':
      return 'max_turn_requests';
    case 'stopped_by_hook':
      return 'end_turn';
    default:
      throw describeFailure(outcome);
  }
}

function reasonOfModel(reason: string | null): StopReason {
  return reason === 'max_tokens' || reason === 'refusal' ? reason : 'end_turn';
}

function describeFailure({ kind, reason, text, apiErrorStatus, retryable }: Outcome): AcpRefusal {
  if (kind === 'api_error' && (text.includes('/login') || apiErrorStatus === 401)) {
    return new AcpRefusal('loginNeeded', `${text}. ${EDITOR_LOGIN_ADVICE}`, { kind, status: apiErrorStatus });
  }
  const what = text === '' ? `The turn ended as "${kind}" (${reason})` : text;
  const advice = retryable ? ' The same prompt may succeed later.' : '';
  return new AcpRefusal('internal', `${what}.${advice}`.replace('..', '.'), {
    kind,
    status: apiErrorStatus,
    retryable,
  });
}
