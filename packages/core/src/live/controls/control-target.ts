// Defines what controls are sent to, so that they work the same on a live CLI and on a conversation.
import type { RequestOptions } from '../../wire/channel/channel.js';
import type {
  McpSetServersResult,
  SDKControlInitializeResponse,
  SlashCommand,
} from '../../wire/protocol/control/control.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { CliCapabilities } from './controls.js';

/** A live CLI, or an object that has one. */
export interface ControlTarget {
  /** When the signal aborts, the target must give up the request and leave nothing behind. */
  request(request: { subtype: string }, options?: RequestOptions): Promise<unknown>;
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult>;
  reinitialize(options?: RequestOptions): Promise<SDKControlInitializeResponse>;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  /** Resolves when the CLI has been asked for its version, or is over. Undefined if there is nothing to ask. */
  learnVersion?(): Promise<void> | undefined;
  readonly capabilities: { readonly known: CliCapabilities; has(name: string): boolean };
  /** The commands of the last `commands_changed`. Undefined if none came since the last handshake. */
  readonly changedCommands: SlashCommand[] | undefined;
}
