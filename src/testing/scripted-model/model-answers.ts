// Decides what a request gets: an answer of `others`, the default for its kind, the next step of its conversation,
// or nothing. `send-reply` sends it.
import { InvalidOptionsError } from '../../errors.js';
import { answerSideRequest } from './classify-request.js';
import { ScriptGate } from './gate.js';
import { apiError, type Step } from './model-reply.js';
import type { ModelRequest } from './model-request.js';
import {
  ScriptRoute,
  matchesRequest,
  type Conversation,
  type LocatedStep,
  type RequestMatcher,
} from './model-script.js';
import { checkMatcher, checkStep } from './check-reply.js';

/** An answer to requests of any kind that `when` chooses; tried before everything else and never used up. */
export interface OtherAnswer {
  readonly when: RequestMatcher;
  readonly reply: Step;
}

/** What a scripted model answers; with none of it, every model request is unexpected. */
export interface ScriptedModelOptions {
  /** One step per request of the conversation, in order of arrival; a repeated request takes a step of its own. */
  readonly script?: readonly Step[];
  /** Scripts of their own for some sessions or subagents: the first whose `when` fits; `script` is for the rest. */
  readonly conversations?: readonly Conversation[];
  /** Answers to what is not the conversation, or to whatever `when` chooses. */
  readonly others?: readonly OtherAnswer[];
  /** What a request of the conversation gets when no step is left for it; `'fail'` unless given. */
  readonly onExhausted?: 'fail' | Step;
  /** The answer of `count_tokens`; a quarter of the body's length unless given. */
  readonly countTokens?: number | ((request: ModelRequest) => number);
}

/** Checks the options of a model and hands out the steps of its scripts. */
export class ModelAnswers {
  readonly #options: ScriptedModelOptions;
  readonly #routes: readonly ScriptRoute[];

  constructor(options: ScriptedModelOptions) {
    this.#options = options;
    const { conversations = [], script = [], others = [], onExhausted = 'fail', countTokens } = options;
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
  }

  /** The step for a request, taken from its script; undefined when nothing is scripted for it. */
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
        const taken = this.#findRoute(request).take(request);
        if (taken !== undefined || onExhausted === 'fail') return taken;
        return { step: onExhausted, where: 'onExhausted' };
      }
    }
  }

  /** Why `choose` had nothing for a request. */
  explainMiss(request: ModelRequest): string {
    if (request.kind === 'unknown') {
      return 'it is no request of the Messages API with a list of messages';
    }
    const { where, steps } = this.#findRoute(request);
    return steps.length === 0
      ? 'nothing is scripted for it'
      : `all ${steps.length} steps of ${where} are used up`;
  }

  /** One sentence for each run of a script that has steps left. */
  listUnused(): string[] {
    return this.#routes.flatMap((route) => route.listUnused());
  }

  /** The gates that replies of the script are held at. */
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
    // The last route is `script`, which fits every request.
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

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}
