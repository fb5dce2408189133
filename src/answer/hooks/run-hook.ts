// Runs one hook callback for one call: in time, with a signal, and to an answer the CLI can read. A callback
// that fails is told to the host and, where it guards something that must not slip through, answered with a no.
import { messageOf } from '../../util/message-of.js';
import { isThenable } from '../../util/guards.js';
import { HookError } from '../../errors.js';
import type { AnswerContext } from '../../wire/protocol/answer.js';
import type { HookCallback, HookInput } from '../../wire/protocol/hooks/hook-callback.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { onAbort } from '../../util/on-abort.js';
import { createBlockAnswer } from './block-answer.js';
import { checkOutput } from './check-output.js';

/** A callback and what its matcher says about it. */
export interface RegisteredHook {
  event: string;
  /** Where it stands in the option, as in `hooks.PreToolUse[0].hooks[1]`. */
  place: string;
  callback: HookCallback;
  /** Seconds; undefined where only the CLI's own limit holds. */
  timeout: number | undefined;
  /** Whether a failure of any kind is answered with a no. */
  blocks: boolean;
}

/** One call of a hook. */
export interface HookCall {
  hook: RegisteredHook;
  input: HookInput;
  toolUseId: string | undefined;
  context: AnswerContext;
  onFailure: (error: HookError) => void;
}

interface Failure {
  code: 'HOOK_FAILED' | 'HOOK_TIMEOUT' | 'HOOK_OUTPUT_INVALID';
  /** To follow the hook's name. */
  message: string;
  cause?: unknown;
  /** The answer may have been meant as a refusal. */
  mayRefuse?: boolean;
  /** Told of the error before anybody else. */
  tell?: (error: HookError) => void;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The answer to a call, at once where the callback gives one at once; throws what the CLI is to be told as an error. */
export function runHook(call: HookCall): unknown {
  const { hook, input, toolUseId, context } = call;
  const limitMs = findLimit(hook.timeout);
  if (limitMs === undefined) {
    const options = {
      get signal() {
        return context.signal;
      },
    };
    return settle(call, () => hook.callback(input, toolUseId, options));
  }
  return runInTime(call, limitMs);
}

/**
 * A little before the CLI's own clock, which started earlier: our answer says which hook was late, and
 * on CLIs that would go on without it, it is the one that counts.
 */
function findLimit(seconds: number | undefined): number | undefined {
  if (seconds === undefined || !(seconds > 0)) return undefined;
  const ms = seconds * 1000;
  return ms > LONGEST_TIMER_MS ? undefined : ms - Math.min(250, ms / 10);
}

function runInTime(call: HookCall, limitMs: number): Promise<unknown> {
  const { hook, input, toolUseId, context } = call;
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      forget();
    };
    const timer = setTimeout(() => {
      forget();
      const message = `did not answer within its timeout of ${hook.timeout} s`;
      try {
        resolve(fail(call, { code: 'HOOK_TIMEOUT', message, tell: (error) => controller.abort(error) }));
      } catch (error) {
        reject(error);
      }
    }, limitMs);
    // Withdrawn: nobody counts the time any more, and the callback ends when it ends.
    const forget = onAbort(context.signal, () => {
      clearTimeout(timer);
      controller.abort(context.signal.reason);
    });
    const run = async (): Promise<unknown> =>
      await settle(call, () => hook.callback(input, toolUseId, { signal: controller.signal }), controller);
    run().then(resolve, reject).finally(stop);
  });
}

/** Takes a callback to its answer. With a controller that has timed out, what comes of the callback interests nobody. */
function settle(call: HookCall, run: () => unknown, controller?: AbortController): unknown {
  const isLate = (): boolean => controller?.signal.reason instanceof HookError;
  const refuse = (cause: unknown): unknown => {
    if (isLate()) return undefined;
    return fail(call, { code: 'HOOK_FAILED', message: `failed: ${messageOf(cause)}`, cause });
  };
  let returned: unknown;
  try {
    returned = run();
  } catch (error) {
    return refuse(error);
  }
  if (!isThenable(returned)) return accept(call, returned);
  return Promise.resolve(returned).then((value) => (isLate() ? undefined : accept(call, value)), refuse);
}

function accept(call: HookCall, value: unknown): unknown {
  // A function without a return has nothing to say, which is an answer, but none to rely on.
  if ((value === undefined || value === null) && !call.hook.blocks) return {};
  const checked = checkOutput(call.hook.event, value);
  if ('output' in checked) return checked.output;
  const { problem, mayRefuse } = checked;
  return fail(call, { code: 'HOOK_OUTPUT_INVALID', message: `returned ${problem}`, mayRefuse });
}

/** The one place where a failure is turned into an answer: a no, or an error, upon which the CLI goes on without the hook. */
function fail({ hook, onFailure }: HookCall, failure: Failure): unknown {
  const { code, message, cause, mayRefuse = false, tell } = failure;
  const { event, place, blocks } = hook;
  const error = new HookError(code, `The hook ${place} ${message}`, { cause, event, hook: place });
  tell?.(error);
  onFailure(error);
  const failsClosed = findHookEvent(event)?.failsClosed ?? [];
  const closes =
    blocks ||
    (code === 'HOOK_TIMEOUT' && failsClosed.includes('late')) ||
    (mayRefuse && failsClosed.includes('unreadable'));
  const no = closes ? createBlockAnswer(event, error.message) : undefined;
  // Thrown by the callback, it travels as it is.
  if (no === undefined) throw code === 'HOOK_FAILED' ? cause : error;
  return no;
}
