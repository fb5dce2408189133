// Checks the steps of a script before anything is sent, so that an error names the step.
import { InvalidOptionsError } from '../../errors.js';
import { isThenable } from '../../util/guards.js';
import { ScriptGate } from './gate.js';
import { encodeMessage, locatePoint } from './message-events.js';
import type { MessageReply, Reply, Step, StreamPoint } from './model-reply.js';

/** Throws for what is no matcher, before anything is started. */
export function checkMatcher(matcher: unknown, where: string): void {
  if (typeof matcher === 'string' || typeof matcher === 'function' || matcher instanceof RegExp) return;
  throw new InvalidOptionsError(
    [where],
    `The "when" of ${where} must be a text, a pattern or a function of the request`,
  );
}

/** Throws for what is no step; what a function returns is checked after it was called. */
export function checkStep(step: unknown, where: string): asserts step is Step {
  if (typeof step !== 'function') checkReply(step, where);
}

/** Throws for what cannot be sent as a reply. */
export function checkReply(reply: unknown, where: string): asserts reply is Reply {
  if (typeof reply !== 'object' || reply === null) throw refuse(where, 'is no reply');
  const { blocks, status, cut, hold } = reply as Partial<MessageReply> & { status?: unknown };
  if (hold !== undefined && !(hold.until instanceof ScriptGate) && !isThenable(hold.until)) {
    throw refuse(where, 'is held by something that is neither a gate nor a promise');
  }
  if (status !== undefined) {
    if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
      throw refuse(where, `has the status ${JSON.stringify(status)}, which is none of HTTP's (200 to 599)`);
    }
    if (hold?.at !== undefined) throw refuse(where, 'is held at a point of its stream, and has no stream');
    return;
  }
  if (!Array.isArray(blocks)) throw refuse(where, 'is no reply');
  for (const [what, point] of Object.entries({ cut, held: hold?.at })) {
    if (point !== undefined) checkPoint({ reply: reply as MessageReply, point, what, where });
  }
}

function checkPoint(check: { reply: MessageReply; point: StreamPoint; what: string; where: string }): void {
  const { events } = encodeMessage(check.reply, { id: '', model: '', createToolUseId: () => '' });
  if (locatePoint(events, check.point) !== undefined) return;
  throw refuse(
    check.where,
    `is ${check.what} at ${JSON.stringify(check.point)}, and its stream has ${events.length} events and ${check.reply.blocks.length} blocks`,
  );
}

function refuse(where: string, fault: string): InvalidOptionsError {
  return new InvalidOptionsError(
    [where],
    `${where} ${fault}. Build it with text(), thinking(), toolUse(), reply() or apiError(), or give a function of the request that returns one.`,
  );
}
