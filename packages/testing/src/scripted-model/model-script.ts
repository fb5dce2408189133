// The script of a model. It knows which requests belong to it, which step is next, and which steps are left at the end.
// Steps are checked when the model is created, so that an error names the step that cannot be sent.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { Step } from '../script/reply.js';
import type { ModelRequest } from './model-request.js';
import { describeReply } from '../script/check-blocks.js';
import { checkMatcher, checkStep } from './check-step.js';

/** Chooses requests: by a text or pattern found in `request.userText`, or by a function. */
export type RequestMatcher = string | RegExp | ((request: ModelRequest) => boolean);

/** A script for the requests that `when` chooses. */
export interface Conversation {
  readonly when: RequestMatcher;
  readonly script: readonly Step[];
  /** Whether each session plays the whole script for itself. Otherwise all sessions share its steps. Default false. */
  readonly perSession?: boolean | undefined;
}

/** A step and its place, as in `script[2]`. */
export interface LocatedStep {
  readonly step: Step;
  readonly where: string;
}

/** The script of one conversation, and how many of its steps are taken. */
export class ScriptRoute {
  readonly where: string;
  readonly steps: readonly Step[];
  readonly #conversation: Conversation;
  readonly #takenBySession = new Map<string, number>();
  /** The sessions that took steps. */
  readonly #sessions = new Set<string | undefined>();

  constructor(where: string, conversation: Conversation) {
    this.where = where;
    this.steps = conversation.script;
    this.#conversation = conversation;
    if (!Array.isArray(this.steps)) {
      throw new InvalidOptionsError([where], `${where} must be a list of steps`);
    }
    checkMatcher(conversation.when, where);
    for (const [index, step] of this.steps.entries()) checkStep(step, `${where}[${index}]`);
  }

  matches(request: ModelRequest): boolean {
    return matchesRequest(this.#conversation.when, request);
  }

  /** Takes the next step for the request. Undefined if the script is used up. */
  take(request: ModelRequest): LocatedStep | undefined {
    const run = this.#conversation.perSession === true ? (request.sessionId ?? '') : '';
    const taken = this.#takenBySession.get(run) ?? 0;
    const step = this.steps[taken];
    if (step === undefined) return undefined;
    this.#takenBySession.set(run, taken + 1);
    this.#sessions.add(request.sessionId);
    return { step, where: `${this.where}[${taken}]` };
  }

  /** Why `take` has no step for a request. */
  explainMiss({ sessionId }: ModelRequest): string {
    if (this.steps.length === 0) return 'nothing is scripted for it';
    const usedUp = `all ${this.steps.length} steps of ${this.where} are used up`;
    if (this.#conversation.perSession === true || this.#sessions.has(sessionId)) return usedUp;
    return `${usedUp} by other sessions. Sessions share the steps of a scripted model; with "conversations: [{ when: () => true, script, perSession: true }]" each plays all of them`;
  }

  /** One message for each session in which steps are left. */
  listUnused(): string[] {
    const { steps, where } = this;
    const runs = this.#takenBySession.size === 0 ? [['', 0] as const] : [...this.#takenBySession];
    return runs.flatMap(([session, taken]) => {
      const next = steps[taken];
      if (next === undefined) return [];
      const inSession = session === '' ? '' : ` in session ${session}`;
      return `${steps.length - taken} of ${steps.length} steps of ${where} were never used${inSession}; the next one was [${taken}], ${describeStep(next)}`;
    });
  }
}

/** Whether a matcher chooses a request. */
export function matchesRequest(matcher: RequestMatcher, request: ModelRequest): boolean {
  if (typeof matcher === 'function') return matcher(request);
  // `search` always starts at the front. It ignores the `lastIndex` of a global pattern.
  return typeof matcher === 'string'
    ? request.userText.includes(matcher)
    : request.userText.search(matcher) !== -1;
}

function describeStep(step: Step): string {
  return typeof step === 'function' ? 'a function' : describeReply(step);
}
