// Knows whether the CLI of a session does something by itself: background tasks, or calls of its own tools. The CLI is not ended then,
// even if people are asked. Calls of in-process tools are not counted here. Attempts and the workers of a cluster use this.
import { TaskLedger } from '@inboard/core/live/input/task-ledger.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { OwnTool } from './own-tool.js';

/** Built-in tools that the CLI runs one at a time. */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);

/** The work of one CLI. It observes all messages of the session. */
export class CliActivity {
  readonly #findOwn: (toolName: string) => OwnTool | undefined;
  readonly #tasks = new TaskLedger();
  /** The names of the tools whose calls have no result yet, by the ids that the model gave the calls. */
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
    // While a subagent works, the call that started it is open. Its own calls need not be counted.
    if ((frame['parent_tool_use_id'] ?? null) !== null) return;
    for (const { type, id, name, tool_use_id: answered } of blocksOf(frame)) {
      if (type === 'tool_use') this.#open.set(String(id), String(name));
      if (type === 'tool_result') this.#open.delete(String(answered));
    }
  }

  /** Whether the CLI is at work. `waiting` has the ids of the calls that wait for people, or are pending. */
  isBusy(waiting: ReadonlySet<string>): boolean {
    if (this.#tasks.agents + this.#tasks.shells > 0) return true;
    const open = [...this.#open];
    // Such a call runs alone: the calls before it have ended, and those after it have not begun.
    if (open.some(([id, name]) => waiting.has(id) && this.#runsAlone(name))) return false;
    return open.some(([id, name]) => !waiting.has(id) && this.#findOwn(name) === undefined);
  }

  #runsAlone(name: string): boolean {
    const own = this.#findOwn(name);
    return own ? !own.runsBeside : ONE_AT_A_TIME.has(name);
  }
}
