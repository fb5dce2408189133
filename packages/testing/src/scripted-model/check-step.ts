// Checks the steps of a script before anything is sent, so that an error names the step.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord, isThenable } from '@inboard/core/util/guards.js';
import { checkBlocks, refuseStep } from '../script/check-blocks.js';
import { ScriptGate } from '../script/gate.js';
import type { MessageReply, Reply, Step, StreamPoint, ToolUseOptions } from '../script/reply.js';
import { encodeModelMessage, locatePoint } from './message-events.js';

/** Throws for a value that is not a matcher, before anything is started. */
export function checkMatcher(matcher: unknown, where: string): void {
  if (typeof matcher === 'string' || typeof matcher === 'function' || matcher instanceof RegExp) return;
  throw new InvalidOptionsError(
    [where],
    `The "when" of ${where} must be a string, a pattern or a function of the request`,
  );
}

/** Throws for a value that is not a step. The reply that a function returns is checked after the call. */
export function checkStep(step: unknown, where: string): asserts step is Step {
  if (typeof step !== 'function') checkReply(step, where);
}

/** Throws for a value that cannot be sent as a reply. */
export function checkReply(reply: unknown, where: string): asserts reply is Reply {
  if (Array.isArray(reply)) throw refuseStep(where, 'is a list, but each request gets one reply');
  if (!isRecord(reply)) throw refuseStep(where, 'is not a reply');
  if (typeof reply['do'] === 'string') {
    throw refuseStep(where, `is a step "${reply['do']}", which only the fake CLI plays`);
  }
  const { blocks, status, cut, hold } = reply as Partial<MessageReply> & { status?: unknown };
  if (hold !== undefined && !(hold.until instanceof ScriptGate) && !isThenable(hold.until)) {
    throw refuseStep(where, 'is held by something that is neither a gate nor a promise');
  }
  if (status !== undefined) {
    if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
      throw refuseStep(
        where,
        `has the status ${JSON.stringify(status)}, which is not an HTTP status (200 to 599)`,
      );
    }
    if (hold?.at !== undefined)
      throw refuseStep(where, 'is held at a point of its stream, but has no stream');
    return;
  }
  checkBlocks(blocks, where);
  const message = reply as unknown as MessageReply;
  checkCalls(message, where);
  for (const [what, point] of Object.entries({ cut, held: hold?.at })) {
    if (point !== undefined) checkPoint({ reply: message, point, what, where });
  }
}

const OF_THE_FAKE = [
  'permission',
  'result',
  'isError',
  'cancelWhen',
] as const satisfies (keyof ToolUseOptions)[];

// Refuses options that only the fake CLI knows. The real CLI runs tools itself, and would silently ignore a result in
// the script.
function checkCalls({ blocks }: MessageReply, where: string): void {
  for (const block of blocks) {
    const given =
      block.type === 'tool_use' ? OF_THE_FAKE.find((name) => block[name] !== undefined) : undefined;
    if (block.type !== 'tool_use' || given === undefined) continue;
    const fault = `gives toolUse('${block.name}') the option "${given}", which only the fake CLI knows`;
    throw refuseStep(where, fault, 'Leave it out: here the real CLI decides about the tool and runs it');
  }
}

function checkPoint(check: { reply: MessageReply; point: StreamPoint; what: string; where: string }): void {
  const { events } = encodeModelMessage(check.reply, { id: '', model: '', createToolUseId: () => '' });
  if (locatePoint(events, check.point) !== undefined) return;
  throw refuseStep(
    check.where,
    `is ${check.what} at ${JSON.stringify(check.point)}, but its stream has ${events.length} events and ${check.reply.blocks.length} blocks`,
  );
}
