// Keeps calls of parallel tools from running without a question that they need. The CLI runs their calls side by side because
// of a hint that is not true (`readOnlyHint`). While it plans, it would by that hint not ask about a call, or leave the decision
// to a classifier. So a hook sees each call before the CLI decides, and demands the question. A call that no hook has seen is
// refused. docs/discoveries/hooks-and-permissions.md has the table of what CLIs do with the hint.
import type { HookCallbackMatcher, HookEvent } from '../../wire/protocol/hooks/hook-callback.js';
import type { WireObject } from '../../wire/protocol/codec.js';

/** The modes in which the CLI decides about a tool with the hint as about any other. */
const SAME_WITH_HINT: ReadonlySet<unknown> = new Set([
  'default',
  'acceptEdits',
  'dontAsk',
  'bypassPermissions',
  'auto',
]);

/** How many calls are remembered. Far fewer can be open at a time. */
const MAX_REMEMBERED_CALLS = 1_000;

/** Of the many sessions that have no parallel tools: they share it, because each waiting turn keeps its own guard. */
const NONE: ReadonlySet<string> = new Set();

type Hooks = Partial<Record<HookEvent, HookCallbackMatcher[]>>;

/** One per live CLI. It covers the tools that the session begins with, because hooks are declared in the handshake. */
export class ParallelGuard {
  #covered = NONE;
  /** By the id of the call: whether the CLI asks about it, and the mode of the session when the call was seen. */
  #seen: Map<string, { isAsked: boolean; mode: unknown }> | undefined;
  /** The mode of the session. A subagent may have another one, which only the hook is told. */
  #mode: unknown = 'default';

  /** Covers these tools, by the names that the model knows. Called once, before the handshake. */
  cover(toolNames: readonly string[]): void {
    if (toolNames.length > 0) this.#covered = new Set(toolNames);
  }

  /** Whether there is a tool to cover. */
  get isNeeded(): boolean {
    return this.#covered.size > 0;
  }

  /** Whether each call of the tool is watched, so that the CLI may get the hint. */
  covers(toolName: string): boolean {
    return this.#covered.has(toolName);
  }

  /** The hooks with that of the guard. It is the last of its event, so that the caller's hooks keep their places. */
  addHook(hooks: Hooks | undefined): Hooks | undefined {
    if (!this.isNeeded) return hooks;
    const own: HookCallbackMatcher<'PreToolUse'> = {
      matcher: [...this.#covered].join('|'),
      hooks: [
        (input, toolUseId) => {
          // A matcher with a hyphen is a regular expression for 2.1.33, which also finds longer names.
          if (!this.#covered.has(String((input as { tool_name?: unknown }).tool_name)))
            return Promise.resolve({});
          const asks = !SAME_WITH_HINT.has(input.permission_mode);
          this.#note(toolUseId ?? input.tool_use_id, asks);
          return Promise.resolve(asks ? demandQuestion(String(input.permission_mode)) : {});
        },
      ],
    };
    return { ...hooks, PreToolUse: [...(hooks?.PreToolUse ?? []), own] };
  }

  /** Notes that the CLI asks about a call. */
  noteQuestion({ tool_name: name, tool_use_id: id }: WireObject): void {
    if (this.#covered.has(String(name)) && typeof id === 'string') this.#note(id, true);
  }

  /** Learns the mode of the session, which may change between the hook and the CLI's decision. */
  observe(message: WireObject): void {
    const { type, permissionMode } = message;
    if (type === 'system' && permissionMode !== undefined) this.#mode = permissionMode;
  }

  /** Why a call that the CLI makes must not run; undefined if it may. */
  findProblem(toolName: string, toolUseId: string | undefined): string | undefined {
    if (!this.#covered.has(toolName)) return undefined;
    const seen = toolUseId === undefined ? undefined : this.#seen?.get(toolUseId);
    if (seen === undefined)
      return 'the CLI runs no hooks, so nothing can tell whether it should have asked about the call';
    const isSafe = seen.isAsked || seen.mode === this.#mode || SAME_WITH_HINT.has(this.#mode);
    return isSafe ? undefined : `the permission mode changed to ${String(this.#mode)} before it was decided`;
  }

  #note(id: string | undefined, isAsked: boolean): void {
    if (id === undefined) return;
    const seen = (this.#seen ??= new Map());
    seen.set(id, { isAsked, mode: this.#mode });
    for (const oldest of seen.keys()) {
      if (seen.size <= MAX_REMEMBERED_CALLS) return;
      seen.delete(oldest);
    }
  }
}

function demandQuestion(mode: string) {
  const reason = `The tool is not read-only, and the permission mode is ${mode}`;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse' as const,
      permissionDecision: 'ask' as const,
      permissionDecisionReason: reason,
    },
  };
}
