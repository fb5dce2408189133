// The texts that the model gets for a call without a result of its own. Each says only what is known, and what to do.

export const DID_NOT_RUN =
  'This call did not run: the session was cut off before it began. Make the call again if it is still needed.';

export const NOT_RECORDED =
  'This call was stopped because it cannot be recorded at the moment, and must not run twice by mistake. It may be made again.';

export const QUESTION_GONE =
  'This call did not run: the question whether it may run was removed before anybody answered it.';

export const TURN_INTERRUPTED =
  'This call did not run: the turn was interrupted before somebody decided about it.';

export const PENDING_WITHDRAWN =
  'This call began, and its result was to come later. The turn was stopped before it came, so its outcome is unknown: it ' +
  'may have taken effect. Check before you repeat it.';

/** For a call that has begun but whose end was not recorded. */
export function describeUnknown(begunAt: number | undefined): string {
  const when = begunAt === undefined || begunAt === 0 ? '' : ` at ${new Date(begunAt).toISOString()}`;
  return (
    `This call began${when} and was cut off before it ended. Its outcome is unknown: it may have taken effect. ` +
    'It was not run again. Check before you repeat it.'
  );
}

/** For a call of a built-in tool that a person allowed after its CLI was gone. */
export function describeAllowed(by: string | undefined): string {
  return (
    `This call was waiting for a person and did not run. It is allowed now${by === undefined ? '' : ` (by ${by})`}: ` +
    'make the same call again.'
  );
}

/** For a tool that no longer exists. */
export function describeGone(toolName: string): string {
  return `This call did not run: there is no tool "${toolName}" any more.`;
}
