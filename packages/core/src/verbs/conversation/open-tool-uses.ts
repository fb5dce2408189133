// Knows which tools the model has called in the running turn whose results have not come yet, and whether it is still speaking.
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { blocksOf } from '../../wire/protocol/messages/message-content.js';

/** One per conversation. It reads the messages of the CLI. */
export class OpenToolUses {
  /** The names of the tools, by the ids that the model gave the calls. */
  readonly #open = new Map<string, string>();
  /** Whether the model is in the middle of a message. It is known only where partial messages come. */
  #isSpeaking = false;
  #servers: readonly string[] = [];

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  get isSpeaking(): boolean {
    return this.#isSpeaking;
  }

  get ids(): string[] {
    return [...this.#open.keys()];
  }

  /** The ids and the names of the tools. */
  entries(): [toolUseId: string, toolName: string][] {
    return [...this.#open];
  }

  /** The MCP servers that the CLI named as connected when its turn began. */
  get servers(): readonly string[] {
    return this.#servers;
  }

  clear(): void {
    this.#open.clear();
    this.#isSpeaking = false;
  }

  observe(message: WireObject): void {
    // The calls of a subagent are part of the call that started it, which stays open as long.
    if (typeof message['parent_tool_use_id'] === 'string') return;
    switch (message['type']) {
      case 'assistant':
        for (const block of blocksOf(message))
          if (block['type'] === 'tool_use') this.#open.set(String(block['id']), String(block['name']));
        return;
      case 'user':
        for (const block of blocksOf(message))
          if (block['type'] === 'tool_result') this.#open.delete(String(block['tool_use_id']));
        return;
      case 'stream_event':
        this.#observeStream(message['event']);
        return;
      case 'system':
        if (message['subtype'] === 'init') this.#servers = listConnected(message['mcp_servers']);
        return;
      case 'result':
        this.clear();
    }
  }

  #observeStream(event: unknown): void {
    if (!isRecord(event)) return;
    if (event['type'] === 'message_start') this.#isSpeaking = true;
    else if (event['type'] === 'message_stop') this.#isSpeaking = false;
  }
}

function listConnected(servers: unknown): string[] {
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server: unknown) =>
    isRecord(server) && server['status'] === 'connected' ? [String(server['name'])] : [],
  );
}
