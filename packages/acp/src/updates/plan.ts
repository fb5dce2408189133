// Keeps the model's list of tasks as the plan that an editor shows. Old CLIs have one tool, which replaces the whole list.
// Newer CLIs have several tools, which change the list task by task.
import type { PlanEntry, PlanEntryStatus, SessionUpdate } from '@agentclientprotocol/sdk';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { ToolResult } from './tool-result.js';

const TOOLS = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet']);
const STATUSES: readonly PlanEntryStatus[] = ['pending', 'in_progress', 'completed'];

type Input = Readonly<Record<string, unknown>>;

/** The plan of one session. */
export class PlanLedger {
  /** The entries by the id that the CLI gave them, or by their place in the list. */
  readonly #entries = new Map<string, PlanEntry>();

  /** Whether a tool only changes the plan. Such a call is not shown as a call. */
  static isAbout(tool: string): boolean {
    return TOOLS.has(tool);
  }

  /** Takes a call that succeeded. Returns the plan if the call changed it. */
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
    // A transcript that is read again has only the text, such as "Task #3 created successfully".
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
  // The CLI gives tasks no priority.
  return { content, priority: 'medium', status: known };
}
