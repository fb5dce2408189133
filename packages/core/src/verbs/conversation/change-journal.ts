// Remembers what a caller changed during a conversation: model, mode, settings, servers. A new CLI gets the same requests
// again, and so the same state.
import type { RequestOptions } from '../../wire/channel/channel.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import { limitControl } from '../../live/controls/limit-control.js';

/** A request as it was sent. */
export interface ChangeRequest {
  subtype: string;
  [field: string]: unknown;
}

/** The CLI that gets the changes. */
export interface ChangeTarget {
  request(request: ChangeRequest, options?: RequestOptions): Promise<unknown>;
  setMcpServers(servers: Record<string, McpServerConfig>, options?: RequestOptions): Promise<unknown>;
}

/** Messages wait until all changes are made, so no change may take forever. Connecting servers takes longest. */
const CHANGE_TIMEOUT_MS = 60_000;

/** Requests whose effect lasts, each with a function that returns its key. Of those with equal keys only the last counts. */
const LASTING: Readonly<Record<string, (request: ChangeRequest) => string>> = {
  set_model: () => '',
  set_permission_mode: () => '',
  set_max_thinking_tokens: () => '',
  // Patches add up, so none replaces another.
  apply_flag_settings: (request) => JSON.stringify(request),
  mcp_toggle: (request) => String(request['serverName']),
  set_mcp_permission_mode_override: (request) => String(request['serverName']),
};

/** The changes that the CLI accepted. */
export class ChangeJournal {
  /** In the order in which they were made. */
  readonly #changes = new Map<string, ChangeRequest>();
  #servers: Record<string, McpServerConfig> | undefined;

  /** Notes a change. Returns false for a request that changes nothing for later CLIs. */
  note(request: ChangeRequest): boolean {
    const keyOf = LASTING[request.subtype];
    if (!keyOf) return false;
    const key = `${request.subtype} ${keyOf(request)}`;
    this.#changes.delete(key);
    this.#changes.set(key, request);
    return true;
  }

  /** The servers that were set last; undefined where none were. */
  get servers(): Record<string, McpServerConfig> | undefined {
    return this.#servers;
  }

  noteServers(servers: Record<string, McpServerConfig>): void {
    this.#servers = servers;
  }

  /** Makes all changes again, servers first. Returns an error for each change that failed. */
  async apply(target: ChangeTarget): Promise<Error[]> {
    const failures: Error[] = [];
    const attempt = async (
      what: string,
      change: (limits: RequestOptions) => Promise<unknown>,
    ): Promise<void> => {
      try {
        await limitControl(what, { timeoutMs: CHANGE_TIMEOUT_MS }, (signal) => change({ signal }));
      } catch (cause) {
        failures.push(
          new Error(`The change "${what}" could not be applied again after the CLI was restarted`, { cause }),
        );
      }
    };
    const servers = this.#servers;
    if (servers) await attempt('mcp_set_servers', (limits) => target.setMcpServers(servers, limits));
    for (const request of this.#changes.values()) {
      await attempt(request.subtype, (limits) => target.request(request, limits));
    }
    return failures;
  }
}
