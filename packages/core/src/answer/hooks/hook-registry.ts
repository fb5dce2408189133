// Owns the program's hook callbacks and the ids by which the CLI knows them. It declares them in the handshake and
// answers the control request `hook_callback`. `run-hook` runs a callback.
import { HookError, InvalidOptionsError } from '../../errors.js';
import { isGiven } from '../../util/guards.js';
import { LateModule } from '../../util/late-module.js';
import { loadPart } from '../../util/load-part.js';
import { messageOf } from '../../util/message-of.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { Answerer } from '../../wire/protocol/answer.js';
import type {
  HookCallbackMatcher,
  HookEvent,
  HookFailure,
  HookInput,
  HookMatcherRegistration,
} from '../../wire/protocol/hooks/hook-callback.js';
import { createBlockAnswer } from './block-answer.js';
import type { HookCall, HookFailurePolicy, RegisteredHook } from './run-hook.js';

/** Loaded with the first call of a hook. The code has 20 kB, and few programs have hooks. */
const runner = new LateModule(() => loadPart(() => import('./run-hook.js')));

/** Hook callbacks with their ids; made once per live CLI. */
export interface HookRegistry {
  /** The hooks for the handshake; undefined when the caller gave none. */
  declared: Record<string, HookMatcherRegistration[]> | undefined;
  /** Whether a hook has `onFailure: 'block'`, so that nothing may run unless the CLI promises to honour it. */
  mustBeHonoured: boolean;
  answer: Answerer;
}

/** What connects a registry with its live CLI. */
export interface HookRegistryOptions {
  /** Called when a hook fails, and when its answer has an unknown field or a reason without a decision. */
  onFailure?: ((error: HookError) => void) | undefined;
  /** The effect of a failure if the matcher of the hook sets none. */
  hookFailure?: HookFailure | undefined;
  /** The subagent that made a tool call, for CLIs that leave it out of the input. */
  agentIdOf?: ((toolUseId: string) => string | undefined) | undefined;
}

/** Throws for hooks that cannot be declared. */
export function checkHooks(hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> | undefined): void {
  if (hooks) declareHooks(hooks, undefined, () => '');
}

/** Makes a registry; callbacks are numbered in the order of their declaration. */
export function createHookRegistry(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> | undefined,
  { onFailure = () => {}, hookFailure, agentIdOf = () => undefined }: HookRegistryOptions = {},
): HookRegistry {
  const registered = new Map<string, RegisteredHook>();
  const register = (hook: RegisteredHook): string => {
    const id = `hook_${registered.size}`;
    registered.set(id, hook);
    return id;
  };
  const declared = hooks && declareHooks(hooks, hookFailure, register);
  return {
    declared,
    mustBeHonoured: Object.values(hooks ?? {})
      .flat()
      .some((entry) => entry?.onFailure === 'block'),
    answer: (request, context) => {
      const id = String(request['callback_id']);
      const hook = registered.get(id);
      if (!hook) throw new Error(`There is no hook callback with the id ${id}`);
      const asked = request['tool_use_id'];
      const toolUseId = typeof asked === 'string' ? asked : undefined;
      const agentId = toolUseId === undefined ? undefined : agentIdOf(toolUseId);
      const input = nameAgent(request['input'] as HookInput, agentId);
      const call: HookCall = { hook, input, toolUseId, context, onFailure };
      if (runner.loaded) return runner.loaded.runHook(call);
      return runner.load().then(
        ({ runHook }) => runHook(call),
        (cause: unknown) => failUnrun(call, cause),
      );
    },
  };
}

/**
 * Answers for a hook when the code that runs hooks could not be loaded. If failures of the hook refuse, and its event can
 * be refused, the answer is a refusal. Otherwise this throws, and the CLI goes on without the hook.
 */
function failUnrun({ hook, onFailure }: HookCall, cause: unknown): unknown {
  const { event, path } = hook;
  const message = `The hook ${path} could not be run: ${messageOf(cause)}`;
  onFailure(new HookError('HOOK_FAILED', message, { cause, event, hook: path }));
  const refusal = hook.onFailure.refuses ? createBlockAnswer(event, `The hook ${path} failed`) : undefined;
  if (refusal === undefined) throw cause;
  return refusal;
}

/** Adds the subagent to a hook's input, because CLI 2.1.33 leaves it out. */
function nameAgent(input: HookInput, agentId: string | undefined): HookInput {
  if (agentId === undefined || input.agent_id !== undefined) return input;
  return { ...input, agent_id: agentId };
}

function declareHooks(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>>,
  hookFailure: HookFailure | undefined,
  register: (hook: RegisteredHook) => string,
): Record<string, HookMatcherRegistration[]> {
  const declared: Record<string, HookMatcherRegistration[]> = {};
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!matchers?.length) continue;
    declared[event] = matchers.map((entry, index) => {
      const { matcher, hooks: callbacks, timeout, onFailure } = entry;
      checkSwitches(entry, `hooks.${event}[${index}]`);
      const policy = choosePolicy(entry, hookFailure);
      return withoutUndefined({
        matcher,
        hookCallbackIds: callbacks.map((callback, position) =>
          register({
            event,
            path: `hooks.${event}[${index}].hooks[${position}]`,
            callback,
            timeout,
            onFailure: policy,
          }),
        ),
        timeout,
        onFailure,
      });
    });
  }
  return declared;
}

/** Throws for a wrong value. It would count as "off", and then a guard that fails would let everything pass. */
function checkSwitches({ failClosed, onFailure }: HookCallbackMatcher, path: string): void {
  const refuse = (name: string, values: string, given: unknown): never => {
    const message = `The option "${path}.${name}" must be ${values} or left out, not ${JSON.stringify(given) ?? typeof given}`;
    throw new InvalidOptionsError(['hooks'], message);
  };
  if (isGiven(failClosed) && typeof failClosed !== 'boolean') refuse('failClosed', 'true, false', failClosed);
  if (isGiven(onFailure) && onFailure !== 'block' && onFailure !== 'continue')
    refuse('onFailure', '"block", "continue"', onFailure);
}

/** The policy of the matcher. A matcher that sets none gets the policy of the option for all hooks. */
function choosePolicy(
  { onFailure, failClosed }: HookCallbackMatcher,
  hookFailure: HookFailure | undefined,
): HookFailurePolicy {
  const isClosed = failClosed === true || onFailure === 'block';
  const isOwn = isClosed || isGiven(failClosed) || isGiven(onFailure);
  return { refuses: isOwn ? isClosed : hookFailure === 'refuse', mustAnswer: isClosed, isOwn };
}
