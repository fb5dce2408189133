// Says whether the calls of a conversation can be recorded and completed, and with which servers.
import { nameTools } from '../../live/tooling/name-tools.js';
import type { Options } from '../../options/options.js';
import { isInProcess, type McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { ConversationParts } from './conversation-parts.js';

/** One per conversation. */
export class RecordingScope {
  readonly #parts: ConversationParts;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /** Why nothing can be completed; undefined where it can. */
  get obstacle(): string | undefined {
    const { persistSession, sessionStore, transport, spawnClaudeCodeProcess } = this.#parts.options;
    if (persistSession === false) return 'the session is not saved ("persistSession: false")';
    const isElsewhere = transport !== undefined || spawnClaudeCodeProcess !== undefined;
    return !sessionStore && isElsewhere
      ? 'its transcript may be on another machine, and there is no "sessionStore"'
      : undefined;
  }

  /** Whether calls are recorded: there are calls or questions to record, and a transcript that can be read and written here. */
  get isRecorded(): boolean {
    return (this.hasTools || this.#parts.waiting !== undefined) && this.obstacle === undefined;
  }

  /** Whether the conversation has in-process tools. */
  get hasTools(): boolean {
    const { options, journal } = this.#parts;
    return hasOwn(options.mcpServers) || hasOwn(journal.servers);
  }

  /** The options of the conversation, with the MCP servers it has at the moment. */
  get options(): Options {
    const { options, journal } = this.#parts;
    const named = nameTools(options);
    if (!journal.servers) return named;
    const kept = Object.entries(options.mcpServers ?? {}).filter(([, config]) => !isInProcess(config));
    return { ...named, mcpServers: { ...Object.fromEntries(kept), ...journal.servers } };
  }
}

function hasOwn(servers: Record<string, McpServerConfig> | undefined): boolean {
  return Object.values(servers ?? {}).some((config) => isInProcess(config));
}
