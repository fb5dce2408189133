// The script of a model: which conversation a request belongs to, which step is next, and what is left at the end.
// Steps are checked when the model is created, so that an error names the step that cannot be sent.
import { InvalidOptionsError } from '../../errors.js';
import { isThenable } from '../../util/guards.js';
import { ScriptGate } from './gate.js';
import { encodeMessage, locatePoint } from './message-events.js';
import type { MessageReply, Reply, Step, StreamPoint } from './model-reply.js';
import type { ModelRequest } from './model-request.js';

/** Chooses requests: by a text or pattern found in `request.userText`, or by a function. */
export type RequestMatcher = string | RegExp | ((request: ModelRequest) => boolean);

/** The script of the requests that `when` chooses. */
export interface Conversation {
  readonly when: RequestMatcher;
  readonly script: readonly Step[];
  /** Whether every session runs through the script for itself; false: all share one run. */
  readonly perSession?: boolean;
}

/** A step and where it stands, as in `script[2]`. */
export interface LocatedStep {
  readonly step: Step;
  readonly where: string;
}

/** One conversation of the script, and which of its steps are taken. */
export class ScriptRoute {
  readonly #where: string;
  readonly #conversation: Conversation;
  readonly #takenBySession = new Map<string, number>();

  constructor(where: string, conversation: Conversation) {
    this.#where = where;
    this.#conversation = conversation;
    if (!Array.isArray(conversation.script)) {
      throw new InvalidOptionsError([where], `${where} must be a list of steps`);
    }
    checkMatcher(conversation.when, where);
    for (const [index, step] of conversation.script.entries()) checkStep(step, `${where}[${index}]`);
  }

  get where(): string {
    return this.#where;
  }

  get length(): number {
    return this.#conversation.script.length;
  }

  get steps(): readonly Step[] {
    return this.#conversation.script;
  }

  matches(request: ModelRequest): boolean {
    return matchesRequest(this.#conversation.when, request);
  }

  /** The next step of the request's run, or undefined when the script is used up. */
  take(request: ModelRequest): LocatedStep | undefined {
    const run = this.#conversation.perSession === true ? (request.sessionId ?? '') : '';
    const taken = this.#takenBySession.get(run) ?? 0;
    const step = this.#conversation.script[taken];
    if (step === undefined) return undefined;
    this.#takenBySession.set(run, taken + 1);
    return { step, where: `${this.#where}[${taken}]` };
  }

  /** One sentence for each run that has steps left. */
  listUnused(): string[] {
    const { script } = this.#conversation;
    const runs = this.#takenBySession.size === 0 ? [['', 0] as const] : [...this.#takenBySession];
    return runs.flatMap(([session, taken]) => {
      const next = script[taken];
      if (next === undefined) return [];
      const inSession = session === '' ? '' : ` in session ${session}`;
      return `${script.length - taken} of ${script.length} steps of ${this.#where} were never asked for${inSession}; next was [${taken}], ${describeStep(next)}`;
    });
  }
}

/** Whether a matcher chooses a request. */
export function matchesRequest(matcher: RequestMatcher, request: ModelRequest): boolean {
  if (typeof matcher === 'function') return matcher(request);
  // `search` starts at the front whatever `lastIndex` a global pattern has kept.
  return typeof matcher === 'string'
    ? request.userText.includes(matcher)
    : request.userText.search(matcher) !== -1;
}

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

function describeStep(step: Step): string {
  if (typeof step === 'function') return 'a function';
  if ('status' in step) return `status ${step.status}`;
  const [first] = step.blocks;
  if (first === undefined) return 'an empty message';
  if (first.type === 'tool_use') return `tool_use ${first.name}`;
  if (first.type === 'text') {
    return `text ${JSON.stringify((typeof first.text === 'string' ? first.text : first.text.join('')).slice(0, 60))}`;
  }
  return first.type === 'raw' ? first.block.type : first.type;
}
