// The other end of the controls, so that they work the same on a live CLI and on a conversation.
import type { RequestOptions } from '../../wire/channel/channel.js';
import type {
  McpSetServersResult,
  SDKControlInitializeResponse,
  SlashCommand,
} from '../../wire/protocol/control/control.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { CliCapabilities } from './controls.js';

/** What controls are sent to: a live CLI, or whatever has one. */
export interface ControlTarget {
  /** Must give up, leaving nothing behind, when the signal aborts. */
  request(request: { subtype: string }, options?: RequestOptions): Promise<unknown>;
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult>;
  reinitialize(options?: RequestOptions): Promise<SDKControlInitializeResponse>;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  /** A promise where the CLI's version is not known yet and can be found out: until it is. */
  learnVersion?(): Promise<void> | undefined;
  readonly capabilities: { readonly known: CliCapabilities; has(name: string): boolean };
  /** The commands of the last `commands_changed`, if there was one. */
  readonly changedCommands: SlashCommand[] | undefined;
}
