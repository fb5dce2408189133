// Decides which answer a request gets: one of `others`, the default for its kind, the next step of its conversation, or
// none. `send-reply` sends the answer.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { answerSideRequest } from './classify-request.js';
import { ScriptGate } from '../script/gate.js';
import { apiError, text, type Step } from '../script/reply.js';
import { OUTPUT_MARK } from './message-events.js';
import type { ModelRequest } from './model-request.js';
import {
  ScriptRoute,
  matchesRequest,
  type Conversation,
  type LocatedStep,
  type RequestMatcher,
} from './model-script.js';
import { checkMatcher, checkStep } from './check-step.js';

/** An answer to all requests that `when` chooses, of any kind. It is tried before everything else, and is never used up. */
export interface OtherAnswer {
  readonly when: RequestMatcher;
  readonly reply: Step;
}

/** What a scripted model answers. Without any of these options, every request of the conversation is unexpected. */
export interface ScriptedModelOptions {
  /** One step for each request of the conversation, in order of arrival. A repeated request takes another step. */
  readonly script?: readonly Step[] | undefined;
  /**
   * Separate scripts for some sessions or subagents. The first one whose `when` matches is used. `script` is for all
   * other requests.
   */
  readonly conversations?: readonly Conversation[] | undefined;
  /** Answers to requests that `when` chooses, whether or not they belong to the conversation. */
  readonly others?: readonly OtherAnswer[] | undefined;
  /** The answer to a request of the conversation for which no step is left. Default `'fail'`. */
  readonly onExhausted?: 'fail' | Step | undefined;
  /** The answer to `count_tokens`. Default: a quarter of the body's length. */
  readonly countTokens?: number | ((request: ModelRequest) => number) | undefined;
  /**
   * A word in the ids of messages and tool calls, before their number. If several models answer one conversation, as
   * after a restart, each needs its own word. Default `scripted`.
   */
  readonly idMark?: string | undefined;
}

const OPTION_NAMES: Readonly<Record<keyof ScriptedModelOptions, true>> = {
  script: true,
  conversations: true,
  others: true,
  onExhausted: true,
  countTokens: true,
  idMark: true,
};

/** Throws for a value that is not an object of options. Without this check, the model would fail only at its first request. */
function checkOptionNames(options: unknown): void {
  if (!isRecord(options) || Array.isArray(options)) {
    throw new InvalidOptionsError(
      ['script'],
      `startScriptedModel() takes a list of steps, or options such as { script: [...] }; it was given ${describe(options)}`,
    );
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(OPTION_NAMES, name)) continue;
    const nearest = findNearestName(name, Object.keys(OPTION_NAMES));
    const advice =
      'blocks' in options || 'status' in options
        ? 'A single step goes into a list: startScriptedModel([step]).'
        : nearest === undefined
          ? `Its options are: ${Object.keys(OPTION_NAMES).join(', ')}.`
          : `Did you mean "${nearest}"?`;
    throw new InvalidOptionsError([name], `A scripted model has no option "${name}". ${advice}`);
  }
}

/** Throws if an option is not a list, for example a single answer. */
function checkLists(lists: Readonly<Record<string, unknown>>): void {
  for (const [name, list] of Object.entries(lists)) {
    if (Array.isArray(list)) continue;
    throw new InvalidOptionsError(
      [name],
      `The option ${name} must be a list; it was given ${describe(list)}`,
    );
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'function'
    ? 'a function (a step may be one, inside the list)'
    : `a ${typeof value}`;
}

/** Checks the options of a model, and chooses the step for each request. */
export class ModelAnswers {
  readonly #options: ScriptedModelOptions;
  readonly #routes: readonly ScriptRoute[];

  constructor(options: ScriptedModelOptions) {
    checkOptionNames(options);
    this.#options = options;
    const {
      conversations = [],
      script = [],
      others = [],
      onExhausted = 'fail',
      countTokens,
      idMark,
    } = options;
    checkLists({ conversations, others });
    this.#routes = [
      ...conversations.map((entry, index) => new ScriptRoute(`conversations[${index}].script`, entry)),
      new ScriptRoute('script', { when: () => true, script }),
    ];
    for (const [index, other] of others.entries()) {
      checkMatcher(other.when, `others[${index}]`);
      checkStep(other.reply, `others[${index}].reply`);
    }
    if (onExhausted !== 'fail') checkStep(onExhausted, 'onExhausted');
    if (countTokens !== undefined && typeof countTokens !== 'function' && !isCount(countTokens)) {
      throw new InvalidOptionsError(['countTokens'], 'countTokens must be a whole number of tokens');
    }
    if (idMark !== undefined && !/^[\w-]{1,40}$/.test(idMark))
      throw new InvalidOptionsError(['idMark'], 'idMark must be a word of letters, digits, _ and -');
  }

  /** Takes the step for a request. Undefined if nothing is scripted for the request. */
  choose(request: ModelRequest): LocatedStep | undefined {
    const { others = [], onExhausted = 'fail' } = this.#options;
    const other = others.findIndex(({ when }) => matchesRequest(when, request));
    if (other !== -1) return { step: (others[other] as OtherAnswer).reply, where: `others[${other}].reply` };
    switch (request.kind) {
      case 'probe':
        return { step: answerProbe(request), where: 'the answer to a probe' };
      case 'count_tokens':
        return { step: this.#countTokens(request), where: 'countTokens' };
      case 'side':
        return { step: answerSideRequest(request), where: 'the answer to a side request' };
      case 'unknown':
        return undefined;
      default: {
        if (asksAfterOutput(request)) return { step: text('Done.'), where: 'the answer after an output' };
        const taken = this.#findRoute(request).take(request);
        if (taken !== undefined || onExhausted === 'fail') return taken;
        return { step: onExhausted, where: 'onExhausted' };
      }
    }
  }

  /** Why `choose` found no step for a request. */
  explainMiss(request: ModelRequest): string {
    if (request.kind === 'unknown') {
      return 'it is not a request to the Messages API with a list of messages';
    }
    return this.#findRoute(request).explainMiss(request);
  }

  /** One message for each script and session in which steps are left. */
  listUnused(): string[] {
    return this.#routes.flatMap((route) => route.listUnused());
  }

  /** The gates that are in the script. A gate in a reply that a function returns is not among them. */
  listGates(): ScriptGate[] {
    const { others = [], onExhausted = 'fail' } = this.#options;
    const steps = [
      ...this.#routes.flatMap((route) => route.steps),
      ...others.map((other) => other.reply),
      ...(onExhausted === 'fail' ? [] : [onExhausted]),
    ];
    return steps
      .map((step) => (typeof step === 'function' ? undefined : step.hold?.until))
      .filter((until) => until instanceof ScriptGate);
  }

  #findRoute(request: ModelRequest): ScriptRoute {
    // The last route is `script`, which matches every request.
    return this.#routes.find((route) => route.matches(request)) as ScriptRoute;
  }

  #countTokens(request: ModelRequest): Step {
    const { countTokens = Math.ceil(request.rawBody.length / 4) } = this.#options;
    const count = typeof countTokens === 'function' ? countTokens(request) : countTokens;
    return { status: 200, body: { input_tokens: count } };
  }
}

function answerProbe({ method, path }: ModelRequest): Step {
  return method === 'HEAD' || path === '/' ? { status: 200, body: {} } : apiError(404);
}

// CLI 2.1.33 asks the model once more after the structured output. The script need not have a step for that.
function asksAfterOutput({ toolResults }: ModelRequest): boolean {
  return (
    toolResults.length > 0 &&
    toolResults.every(({ toolUseId, isError }) => toolUseId.endsWith(OUTPUT_MARK) && !isError)
  );
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}
