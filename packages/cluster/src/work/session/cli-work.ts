// Knows what the CLI of a session does by itself: background tasks, and calls of its own tools. While there is any, the CLI must
// not be ended, even if the turn waits for people. Calls of in-process tools are not counted here: `call-journal` has them.
import { TaskLedger } from '@inboard/core/live/input/task-ledger.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';

/** An in-process tool, as far as it matters here. */
export interface OwnTool {
  /** Whether the tool is marked as read-only. The CLI runs such calls at the same time as others. */
  readonly isReadOnly: boolean;
}

/** The built-in tools that the CLI never runs at the same time as another call of the same message. */
const ALONE: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);

/** The work of one CLI. It observes all messages of the session. */
export class CliWork {
  readonly #findOwn: (toolName: string) => OwnTool | undefined;
  readonly #tasks = new TaskLedger();
  /** The names of the calls of the main conversation that have no result yet, by the ids that the model gave them. */
  readonly #open = new Map<string, string>();

  /** `findOwn` returns undefined for tools that do not run in this process, and for those of foreign servers. */
  constructor(findOwn: (toolName: string) => OwnTool | undefined) {
    this.#findOwn = findOwn;
  }

  observe(message: SDKMessage): void {
    const frame = message as unknown as WireObject;
    this.#tasks.observe(frame);
    if (message.type === 'result') this.#open.clear();
    if (message.type !== 'assistant' && message.type !== 'user') return;
    // The call that started a subagent stays open while the subagent works. So the subagent's own calls are not needed.
    if ((frame['parent_tool_use_id'] ?? null) !== null) return;
    for (const { type, id, name, tool_use_id: answered } of blocksOf(frame)) {
      if (type === 'tool_use') this.#open.set(String(id), String(name));
      if (type === 'tool_result') this.#open.delete(String(answered));
    }
  }

  /** Whether the CLI works. `waiting` has the ids of the calls that wait for people, or are pending. */
  isBusy(waiting: ReadonlySet<string>): boolean {
    if (this.#tasks.agents + this.#tasks.shells > 0) return true;
    const open = [...this.#open];
    // The CLI runs such a call alone: the calls before it have ended, and those behind it have not begun.
    if (open.some(([id, name]) => waiting.has(id) && this.#runsAlone(name))) return false;
    return open.some(([id, name]) => !waiting.has(id) && !this.#findOwn(name));
  }

  #runsAlone(name: string): boolean {
    const own = this.#findOwn(name);
    return own ? !own.isReadOnly : ALONE.has(name);
  }
}
