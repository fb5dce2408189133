// The model's list of tasks as the plan that an editor shows. Old CLIs have one tool, which replaces the whole list. Newer
// CLIs have several tools, which change it task by task.
import type { PlanEntry, PlanEntryStatus, SessionUpdate } from '@agentclientprotocol/sdk';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { ToolResult } from './tool-result.js';

const TOOLS = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet']);
const STATUSES: readonly PlanEntryStatus[] = ['pending', 'in_progress', 'completed'];

type Input = Readonly<Record<string, unknown>>;

/** The plan of one session. */
export class PlanLedger {
  /** By the id the CLI gave, or the place in the list. */
  readonly #entries = new Map<string, PlanEntry>();

  /** Whether a tool is about the plan, and is not shown as a call. */
  static isAbout(tool: string): boolean {
    return TOOLS.has(tool);
  }

  /** Takes a call that went well; gives the plan if it changed. */
  take(tool: string, input: Input, result: ToolResult): SessionUpdate[] {
    if (tool === 'TodoWrite') this.#replace(input['todos']);
    else if (tool === 'TaskCreate') this.#add(input, result);
    else if (tool !== 'TaskUpdate' || !this.#change(input)) return [];
    return [{ sessionUpdate: 'plan', entries: [...this.#entries.values()] }];
  }

  #replace(todos: unknown): void {
    this.#entries.clear();
    for (const [index, todo] of (Array.isArray(todos) ? todos : []).filter(isRecord).entries()) {
      this.#entries.set(String(index), toEntry(asString(todo['content']), todo['status']));
    }
  }

  #add(input: Input, { structure, content }: ToolResult): void {
    const task = isRecord(structure) && isRecord(structure['task']) ? structure['task'] : {};
    // A transcript that is read again has the text alone: "Task #3 created successfully".
    const id = asString(task['id']) ?? /#([\w-]+)/.exec(textOf(content))?.[1] ?? `${this.#entries.size + 1}`;
    this.#entries.set(id, toEntry(asString(input['subject']), 'pending'));
  }

  #change({ taskId, subject, status }: Input): boolean {
    const id = String(taskId);
    const entry = this.#entries.get(id);
    if (!entry) return false;
    if (status === 'deleted') return this.#entries.delete(id);
    this.#entries.set(id, toEntry(asString(subject) ?? entry.content, status ?? entry.status));
    return true;
  }
}

function toEntry(content = '', status: unknown): PlanEntry {
  const known = STATUSES.find((one) => one === status) ?? 'pending';
  // The CLI ranks nothing.
  return { content, priority: 'medium', status: known };
}
