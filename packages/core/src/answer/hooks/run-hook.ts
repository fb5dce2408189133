// Runs one hook callback for one call, with a signal and within its timeout, and makes an answer that the CLI can read.
// It reports a failure to the program. If the hook guards something, its failure becomes a refusal for the CLI.
import { messageOf } from '../../util/message-of.js';
import { isThenable } from '../../util/guards.js';
import { HookError } from '../../errors.js';
import { isWithdrawn, type AnswerContext } from '../../wire/protocol/answer.js';
import type { HookCallback, HookInput } from '../../wire/protocol/hooks/hook-callback.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { onAbort } from '../../util/on-abort.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import { canBlock, createBlockAnswer } from './block-answer.js';
import { checkOutput } from './check-output.js';

/** What a failure of a hook does, and whether its matcher or the option for all hooks says so. */
export interface HookFailurePolicy {
  /** Whether every failure is answered with a refusal, if the event can be refused. */
  refuses: boolean;
  /** Whether returning nothing is a failure, too. */
  mustAnswer: boolean;
  /** Whether the matcher itself sets the policy. If not, it comes from the option for all hooks. */
  isOwn: boolean;
}

/** A callback with the settings of its matcher. */
export interface RegisteredHook {
  event: string;
  /** The place in the option, as in `hooks.PreToolUse[0].hooks[1]`. */
  path: string;
  callback: HookCallback;
  /** In seconds; undefined if the matcher sets none. */
  timeout: number | undefined;
  onFailure: HookFailurePolicy;
}

/** One call of a hook. */
export interface HookCall {
  hook: RegisteredHook;
  input: HookInput;
  toolUseId: string | undefined;
  context: AnswerContext;
  onFailure: (error: HookError) => void;
}

type FailureCode = 'HOOK_FAILED' | 'HOOK_TIMEOUT' | 'HOOK_OUTPUT_INVALID';

/** What a refusal says about the failure. It leaves out the error and the return value, because they may hold secrets. */
const TOLD: Record<FailureCode, string> = {
  HOOK_FAILED: 'failed',
  HOOK_TIMEOUT: 'did not answer in time',
  HOOK_OUTPUT_INVALID: 'did not return a valid answer',
};

interface Failure {
  code: FailureCode;
  /** Completes a sentence that begins with the hook's path. */
  message: string;
  cause?: unknown;
  /** The reason of a refusal, which the hook wrote for the model. */
  reason?: string | undefined;
  /** The answer that is sent where the failure refuses nothing. */
  harmless?: unknown;
  /** Receives the error before `onFailure` does. */
  notify?: (error: HookError) => void;
}

/** The answer to a call. A promise if the callback returns one, or has a time limit. The CLI is told of a thrown error. */
export function runHook(call: HookCall): unknown {
  const { hook, input, toolUseId, context } = call;
  const seconds = findTimeout(hook);
  const limitMs = findLimit(seconds);
  if (seconds === undefined || limitMs === undefined) {
    const options = {
      get signal() {
        return context.signal;
      },
    };
    return settle(call, () => hook.callback(input, toolUseId, options));
  }
  return runInTime(call, { seconds, limitMs });
}

/** How long the CLI waits for a hook whose matcher has no `timeout`. Measured on versions 2.1.33 and 2.1.325. */
const CLI_TIMEOUT_SECONDS = 600;

/**
 * The timeout of a hook in seconds. A hook whose failure can refuse something always has one. After the CLI's own limit,
 * 2.1.33 would run the tool, and both measured versions would continue after most other events.
 */
function findTimeout({ event, timeout, onFailure }: RegisteredHook): number | undefined {
  if (timeout !== undefined && timeout > 0) return timeout;
  return onFailure.refuses && canBlock(event) ? CLI_TIMEOUT_SECONDS : undefined;
}

/**
 * The time limit in milliseconds; undefined if it is too long for a timer. It is a little shorter than the CLI's own, whose
 * clock started earlier. So our answer comes first. It names the late hook, and it can refuse where the CLI would go on.
 */
function findLimit(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const ms = seconds * 1000;
  return ms > LONGEST_TIMER_MS ? undefined : ms - Math.min(250, ms / 10);
}

function runInTime(
  call: HookCall,
  { seconds, limitMs }: { seconds: number; limitMs: number },
): Promise<unknown> {
  const { hook, input, toolUseId, context } = call;
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      forget();
    };
    const timer = setTimeout(() => {
      forget();
      const message = `did not answer within its timeout of ${seconds} s`;
      try {
        resolve(fail(call, { code: 'HOOK_TIMEOUT', message, notify: (error) => controller.abort(error) }));
      } catch (error) {
        reject(error);
      }
    }, limitMs);
    // When the CLI withdraws the call, the timeout no longer matters, and the callback may take as long as it likes.
    const forget = onAbort(context.signal, () => {
      clearTimeout(timer);
      controller.abort(context.signal.reason);
    });
    const run = async (): Promise<unknown> =>
      await settle(call, () => hook.callback(input, toolUseId, { signal: controller.signal }), controller);
    run().then(resolve, reject).finally(stop);
  });
}

/**
 * Makes an answer from what a callback returns or throws. After a timeout, the controller's reason is a HookError, and
 * what the callback does is ignored.
 */
function settle(call: HookCall, run: () => unknown, controller?: AbortController): unknown {
  const isLate = (): boolean => controller?.signal.reason instanceof HookError;
  const refuse = (cause: unknown): unknown => {
    if (isLate()) return undefined;
    if (hasEnded(call.context.signal)) return endQuietly(call, cause);
    return fail(call, { code: 'HOOK_FAILED', message: `failed: ${messageOf(cause)}`, cause });
  };
  let returned: unknown;
  try {
    returned = run();
  } catch (error) {
    return refuse(error);
  }
  if (!isPromise(returned)) return accept(call, returned);
  return Promise.resolve(returned).then((value) => (isLate() ? undefined : accept(call, value)), refuse);
}

/** Whether the session has ended, so that nobody reads an answer. A call that the CLI only withdrew does not count. */
function hasEnded(signal: AbortSignal): boolean {
  return signal.aborted && !isWithdrawn(signal);
}

/**
 * Answers for a hook that gave up because the session ended, which is not a failure. Nobody reads the answer, but a
 * guard's answer must still be a refusal.
 */
function endQuietly({ hook }: HookCall, cause: unknown): unknown {
  const refusal = hook.onFailure.refuses ? createBlockAnswer(hook.event, 'The session has ended') : undefined;
  if (refusal === undefined) throw cause;
  return refusal;
}

/** Whether a value is a promise. If examining it throws, it counts as none, and `checkOutput` meets the error again. */
function isPromise(value: unknown): boolean {
  try {
    return isThenable(value);
  } catch {
    return false;
  }
}

function accept(call: HookCall, value: unknown): unknown {
  // A callback that returns nothing changes nothing. For a guard, silence is not an approval.
  if ((value === undefined || value === null) && !call.hook.onFailure.mustAnswer) return {};
  const checked = checkOutput(call.hook.event, value);
  if ('problem' in checked) {
    const { problem, ...rest } = checked;
    return fail(call, { code: 'HOOK_OUTPUT_INVALID', message: `returned ${problem}`, ...rest });
  }
  const { output, ignored = [], isUndecided } = checked;
  if (isUndecided) {
    const message = `returned a reason but no decision, so nothing is stopped${advise(call.hook.event, false)}`;
    call.onFailure(createError(call.hook, { code: 'HOOK_DECISION_MISSING', message }));
  }
  if (ignored.length > 0) {
    const message = `returned ${ignored.join(', ')} next to its answer, which ${call.hook.event} does not know`;
    call.onFailure(createError(call.hook, { code: 'HOOK_FIELD_UNKNOWN', message }));
  }
  return output;
}

/** Turns a failure into a refusal, into the harmless answer, or into an error. After an error, the CLI goes on. */
function fail({ hook, onFailure }: HookCall, failure: Failure): unknown {
  const { code, cause, reason, harmless, notify } = failure;
  const { event, path } = hook;
  const failsClosed = findHookEvent(event)?.failsClosed ?? [];
  const closes =
    hook.onFailure.refuses ||
    (code === 'HOOK_TIMEOUT' && failsClosed.includes('late')) ||
    (code === 'HOOK_OUTPUT_INVALID' && failsClosed.includes('unreadable'));
  const refusal = closes ? createBlockAnswer(event, reason ?? `The hook ${path} ${TOLD[code]}`) : undefined;
  const isRefused = refusal !== undefined;
  const advice = code === 'HOOK_OUTPUT_INVALID' ? advise(event, isRefused) : adviseSwitch(hook, isRefused);
  const error = createError(hook, { ...failure, message: `${failure.message}${advice}` });
  notify?.(error);
  onFailure(error);
  if (refusal !== undefined) return refusal;
  if (harmless !== undefined) return harmless;
  // The CLI gets the error of the callback unchanged.
  throw code === 'HOOK_FAILED' ? cause : error;
}

/** Tells the author of a hook how to say no, and whether this answer counted as one. */
function advise(event: string, isRefused: boolean): string {
  const no = createBlockAnswer(event, '…');
  if (no === undefined) return '';
  return `. ${isRefused ? 'It counts as a refusal' : 'It was ignored'}. To refuse, return ${JSON.stringify(no)}; to have no effect, return {}.`;
}

/** Tells which option makes failed hooks refuse, if this failure was ignored only because no such option was set. */
function adviseSwitch({ event, onFailure }: RegisteredHook, isRefused: boolean): string {
  if (isRefused || onFailure.isOwn || !canBlock(event)) return '';
  return ". The CLI continued without it. To have every failed hook refuse, set the option hookFailure: 'refuse'.";
}

function createError(
  { path, event }: RegisteredHook,
  {
    code,
    message,
    cause,
  }: { code: ConstructorParameters<typeof HookError>[0]; message: string; cause?: unknown },
): HookError {
  return new HookError(code, `The hook ${path} ${message}`, { cause, event, hook: path });
}
