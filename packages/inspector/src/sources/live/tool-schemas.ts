// The schemas of a session's tools that run in this process. They are read once, and again when a question names an unknown
// tool.
import { isRecord } from '@inboard/core/util/guards.js';
import type { InspectedSession } from '@inboard/core/live/watch/inspected-session.js';

type Schema = Record<string, unknown>;

/** The schemas of one session. */
export class ToolSchemas {
  readonly #session: InspectedSession;
  readonly #known = new Map<string, Schema>();
  #loading: Promise<void> | undefined;

  constructor(session: InspectedSession) {
    this.#session = session;
  }

  /** The known schema of a tool, by the name the model uses. */
  find(toolName: string): Schema | undefined {
    return this.#known.get(toolName);
  }

  /** The schema of a tool; asks the servers if it is unknown. Undefined for a tool that does not run here. */
  async load(toolName: string): Promise<Schema | undefined> {
    if (!this.#known.has(toolName) && this.#serverOf(toolName) !== undefined) await this.refresh();
    return this.#known.get(toolName);
  }

  /** Asks all servers; never rejects. */
  refresh(): Promise<void> {
    this.#loading ??= this.#ask().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  #serverOf(toolName: string): string | undefined {
    return this.#names().find((server) => toolName.startsWith(`mcp__${server}__`));
  }

  #names(): readonly string[] {
    try {
      return this.#session.serverNames();
    } catch {
      return [];
    }
  }

  async #ask(): Promise<void> {
    for (const server of this.#names()) {
      try {
        let cursor: unknown;
        do {
          const params = cursor === undefined ? {} : { cursor };
          const message = { jsonrpc: '2.0', id: `schemas ${server}`, method: 'tools/list', params };
          const reply = await this.#session.askServer(server, message);
          const result = isRecord(reply) && isRecord(reply['result']) ? reply['result'] : {};
          this.#note(server, result['tools']);
          cursor = result['nextCursor'];
        } while (cursor !== undefined);
      } catch {
        // The server cannot be asked now. Its tools have no form, but can be called with JSON.
      }
    }
  }

  #note(server: string, tools: unknown): void {
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (!isRecord(tool) || !isRecord(tool['inputSchema'])) continue;
      this.#known.set(`mcp__${server}__${String(tool['name'])}`, tool['inputSchema']);
    }
  }
}
