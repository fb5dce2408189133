// Makes tool events for the tools that the CLI runs itself, from the CLI's messages. The model's tool_use block
// starts a call, and the tool_result ends it. In-process tools emit their own events.
import { AbortError } from '../../errors.js';
import { readResultError, type SessionToolEvent } from '../../answer/mcp/tool/tool-events.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { blocksOf, textOf } from '../../wire/protocol/messages/message-content.js';

interface RunningTool {
  toolName: string;
  agentId: string | undefined;
  startedAt: number;
}

export interface ToolWatchOptions {
  /** Whether the tool that the model knows by this name runs in this process. */
  isInProcess(toolName: string): boolean;
  tell(event: SessionToolEvent): void;
}

/** One per live CLI. Every event `start` is followed by one event `end`, `error` or `cancelled`. */
export class ToolWatch {
  readonly #options: ToolWatchOptions;
  readonly #running = new Map<string, RunningTool>();

  constructor(options: ToolWatchOptions) {
    this.#options = options;
  }

  observe(message: WireObject): void {
    switch (message['type']) {
      case 'assistant':
        for (const block of blocksOf(message)) if (block['type'] === 'tool_use') this.#start(block, message);
        return;
      case 'user':
        for (const block of blocksOf(message)) if (block['type'] === 'tool_result') this.#end(block);
        return;
      case 'tool_progress':
        this.#progress(message);
    }
  }

  /** Reports each call that still runs as cancelled, because the CLI ends. */
  close(reason: Error): void {
    for (const [toolUseId, tool] of this.#running) {
      this.#emit(toolUseId, tool, { type: 'cancelled', durationMs: since(tool), reason });
    }
    this.#running.clear();
  }

  #start(block: WireObject, message: WireObject): void {
    const toolUseId = String(block['id']);
    const toolName = String(block['name']);
    if (this.#running.has(toolUseId) || this.#options.isInProcess(toolName)) return;
    const tool = { toolName, agentId: subagentOf(message), startedAt: performance.now() };
    this.#running.set(toolUseId, tool);
    this.#emit(toolUseId, tool, { type: 'start', input: block['input'] });
  }

  #progress(message: WireObject): void {
    // A heartbeat has an id of its own and names the call as its parent.
    const id = [message['tool_use_id'], message['parent_tool_use_id']].find(
      (candidate) => typeof candidate === 'string' && this.#running.has(candidate),
    );
    const tool = typeof id === 'string' ? this.#running.get(id) : undefined;
    if (tool) {
      this.#emit(String(id), tool, {
        type: 'progress',
        elapsedSeconds: Number(message['elapsed_time_seconds'] ?? 0),
      });
    }
  }

  #end(block: WireObject): void {
    const toolUseId = String(block['tool_use_id']);
    const tool = this.#running.get(toolUseId);
    if (!tool) return;
    this.#running.delete(toolUseId);
    const durationMs = since(tool);
    if (block['is_error'] !== true) {
      this.#emit(toolUseId, tool, { type: 'end', durationMs, result: block['content'] });
      return;
    }
    const text = textOf(block['content']);
    // The CLI writes these words for a call that it stopped on an interrupt.
    if (text.includes('stopped while running') || text.includes('interrupted')) {
      this.#emit(toolUseId, tool, { type: 'cancelled', durationMs, reason: new AbortError(text) });
      return;
    }
    // The error has no code of ours, because the codes are about the tools of this process.
    const error = readResultError({ content: [{ type: 'text', text }] });
    this.#emit(toolUseId, tool, { type: 'error', durationMs, error });
  }

  #emit(toolUseId: string, { toolName, agentId }: RunningTool, what: object): void {
    this.#options.tell({
      inProcess: false,
      toolName,
      toolUseId,
      ...(agentId === undefined ? {} : { agentId }),
      ...what,
    } as SessionToolEvent);
  }
}

function since(tool: RunningTool): number {
  return performance.now() - tool.startedAt;
}

/** The subagent that sent a message. Undefined for the main conversation. */
export function subagentOf(message: WireObject): string | undefined {
  const agent = message['agent_id'] ?? message['parent_tool_use_id'];
  return typeof agent === 'string' ? agent : undefined;
}
