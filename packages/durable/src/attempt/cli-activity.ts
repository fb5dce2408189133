// Knows whether the CLI of an attempt does something by itself: background tasks, or calls of its own tools. The CLI is not ended
// then, even if people are asked.
import { catalogOf, ToolServer } from '@inboard/core/answer/mcp/server/tool-server.js';
import { rewriteName, toolName as nameTool } from '@inboard/core/answer/mcp/tool/tool-name.js';
import { TaskLedger } from '@inboard/core/live/input/task-ledger.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { isInProcess } from '@inboard/core/wire/protocol/config/mcp-config.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';

/** Built-in tools that the CLI runs one at a time. */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);

/** One per attempt. It observes all messages. */
export class CliActivity {
  readonly #options: QueryOptions;
  readonly #tasks = new TaskLedger();
  /** The names of the tools whose calls have no result yet, by the ids that the model gave the calls. */
  readonly #open = new Map<string, string>();

  constructor(options: QueryOptions) {
    this.#options = options;
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
    return own ? !own.isReadOnly : ONE_AT_A_TIME.has(name);
  }

  /** An in-process tool. Undefined for tools of the CLI, and for those of other servers. */
  #findOwn(name: string): { isReadOnly: boolean } | undefined {
    for (const [server, config] of Object.entries(this.#options.mcpServers ?? {})) {
      if (!name.startsWith(`mcp__${rewriteName(server)}__`) || !isInProcess(config)) continue;
      const { instance } = config as { instance: unknown };
      if (!(instance instanceof ToolServer)) continue;
      const listing = catalogOf(instance).listings.find((each) => nameTool(server, each.name) === name);
      if (listing) return { isReadOnly: listing.annotations?.readOnlyHint === true };
    }
    return undefined;
  }
}
