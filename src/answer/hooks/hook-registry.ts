// The host's hook callbacks under the ids the CLI knows them by: what is declared in the handshake, and
// the answerer for `hook_callback`. What a hook decides is between the host and the CLI.
import type { HookError } from '../../errors.js';
import type { Answerer } from '../../wire/protocol/answer.js';
import type {
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  HookMatcherRegistration,
} from '../../wire/protocol/hooks/hook-callback.js';
import { runHook, type RegisteredHook } from './run-hook.js';

/** Hook callbacks with their ids; made once per session. */
export interface HookRegistry {
  /** What goes into the handshake; undefined when the caller gave no hooks at all. */
  declared: Record<string, HookMatcherRegistration[]> | undefined;
  /** Whether a hook asked that nothing runs unless the CLI promises to honour it. */
  mustBeHonoured: boolean;
  answer: Answerer;
}

/** What a registry is told by its session, and tells it. */
export interface HookRegistryOptions {
  /** A hook threw, was late or returned what it may not. */
  onFailure?: ((error: HookError) => void) | undefined;
  /** The subagent behind a tool call, for CLIs that do not say it in the input. */
  agentIdOf?: ((toolUseId: string) => string | undefined) | undefined;
}

/** Numbers the callbacks in the order they were declared. */
export function createHookRegistry(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> | undefined,
  { onFailure = () => {}, agentIdOf = () => undefined }: HookRegistryOptions = {},
): HookRegistry {
  const registered = new Map<string, RegisteredHook>();
  const register = (hook: RegisteredHook): string => {
    const id = `hook_${registered.size}`;
    registered.set(id, hook);
    return id;
  };
  const declared = hooks && declareHooks(hooks, register);
  return {
    declared,
    mustBeHonoured: Object.values(hooks ?? {}).some((list) =>
      list?.some((entry) => entry.onFailure === 'block'),
    ),
    answer: (request, context) => {
      const id = String(request['callback_id']);
      const hook = registered.get(id);
      if (!hook) throw new Error(`No hook callback has the id ${id}`);
      const asked = request['tool_use_id'];
      const toolUseId = typeof asked === 'string' ? asked : undefined;
      const agentId = toolUseId === undefined ? undefined : agentIdOf(toolUseId);
      const input = nameAgent(request['input'] as HookInput, agentId);
      return runHook({ hook, input, toolUseId, context, onFailure });
    },
  };
}

/** CLI 2.1.33 does not say in a hook's input that a subagent calls the tool. */
function nameAgent(input: HookInput, agentId: string | undefined): HookInput {
  if (agentId === undefined || input.agent_id !== undefined) return input;
  return { ...input, agent_id: agentId };
}

function declareHooks(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>>,
  register: (hook: RegisteredHook) => string,
): Record<string, HookMatcherRegistration[]> {
  const declared: Record<string, HookMatcherRegistration[]> = {};
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!matchers?.length) continue;
    declared[event] = matchers.map(
      ({ matcher, hooks: callbacks, timeout, onFailure, failClosed }, index) => ({
        ...(matcher === undefined ? {} : { matcher }),
        hookCallbackIds: callbacks.map((callback, position) =>
          register({
            event,
            place: `hooks.${event}[${index}].hooks[${position}]`,
            callback,
            timeout,
            blocks: failClosed === true || onFailure === 'block',
          }),
        ),
        ...(timeout === undefined ? {} : { timeout }),
        ...(onFailure === undefined ? {} : { onFailure }),
      }),
    );
  }
  return declared;
}
