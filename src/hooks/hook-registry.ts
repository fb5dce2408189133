// The host's hook callbacks under the ids the CLI knows them by: what is declared in the handshake, and
// the answerer for `hook_callback`. What a hook decides is between the host and the CLI.
import type { Answerer } from '../protocol/answer.js';
import type {
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
  HookInput,
  HookMatcherRegistration,
} from '../protocol/hook-payload.js';

/** Hook callbacks with their ids; made once per session. */
export interface HookRegistry {
  /** What goes into the handshake; undefined when the caller gave no hooks at all. */
  declared: Record<string, HookMatcherRegistration[]> | undefined;
  /** Whether a hook asked that nothing runs unless the CLI promises to honour it. */
  mustBeHonoured: boolean;
  answer: Answerer;
}

/** Numbers the callbacks in the order they were declared. */
export function createHookRegistry(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> | undefined,
): HookRegistry {
  const callbacks = new Map<string, HookCallback>();
  const register = (callback: HookCallback): string => {
    const id = `hook_${callbacks.size}`;
    callbacks.set(id, callback);
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
      const callback = callbacks.get(id);
      if (!callback) throw new Error(`No hook callback has the id ${id}`);
      const toolUseId = request['tool_use_id'];
      return callback(request['input'] as HookInput, typeof toolUseId === 'string' ? toolUseId : undefined, {
        get signal() {
          return context.signal;
        },
      });
    },
  };
}

function declareHooks(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>>,
  register: (callback: HookCallback) => string,
): Record<string, HookMatcherRegistration[]> {
  const declared: Record<string, HookMatcherRegistration[]> = {};
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!matchers?.length) continue;
    declared[event] = matchers.map(({ matcher, hooks: callbacks, timeout, onFailure }) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hookCallbackIds: callbacks.map(register),
      ...(timeout === undefined ? {} : { timeout }),
      ...(onFailure === undefined ? {} : { onFailure }),
    }));
  }
  return declared;
}
