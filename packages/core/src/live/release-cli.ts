// Says what a live CLI is waiting for, and takes its open permission questions over when it is ended although its turn goes on.
import type { PendingPermission } from '../answer/permissions/open-permission.js';
import { PermissionQuestions } from '../answer/permissions/permission-questions.js';
import type { OpenRequest } from '../wire/channel/inbound-requests.js';
import type { LiveParts } from './live-parts.js';

/** The permission questions of a CLI that was ended. They are still open. */
export interface ReleasedQuestions {
  readonly questions: PermissionQuestions;
  /** The questions as they were listed until now. */
  readonly pending: readonly PendingPermission[];
  /** The requests behind the questions. The new owner cancels them when they are withdrawn. */
  readonly requests: readonly Pick<OpenRequest, 'requestId' | 'cancel'>[];
  /** Why a tool would refuse an input. */
  readonly findInputProblem: (
    toolName: string,
    input: unknown,
  ) => string | undefined | Promise<string | undefined>;
}

/** What is open between a CLI and this process. */
export interface OpenExchange {
  /** How many requests of ours the CLI has not answered. */
  readonly outbound: number;
  /** The requests of the CLI that have no answer yet, oldest first. */
  readonly inbound: readonly Pick<OpenRequest, 'requestId' | 'subtype' | 'isLeftOpen'>[];
}

export function describeExchange({ channel }: LiveParts): OpenExchange {
  return { outbound: channel.outboundInFlight, inbound: channel.openRequests };
}

/** Takes the questions out of the parts of a CLI, which is then ended. The end of the CLI does not affect them any more. */
export function takeQuestions(parts: LiveParts): ReleasedQuestions {
  const { permissions: questions, channel, slots, tools } = parts;
  // The end of the CLI counts open calls as cut off, so their identities are read before it.
  const { pending } = questions;
  const requests = channel.openRequests.filter(({ subtype }) => subtype === 'can_use_tool');
  for (const { requestId } of requests) channel.detach(requestId);
  slots?.stop();
  parts.permissions = new PermissionQuestions({
    canUseTool: undefined,
    identify: (call) => parts.calls.identify(call),
    onFailure: () => {},
    write: () => false,
  });
  return {
    questions,
    pending,
    requests,
    findInputProblem: (toolName, input) => tools.findInputProblem(toolName, input),
  };
}
