// Keeps account of the running background tasks, which may need the input. An agent's tool calls and permission
// questions are answered over the input. The end of a shell starts another turn, which may bring such questions too.
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';

const FINAL_STATES = new Set(['completed', 'failed', 'stopped', 'killed', 'cancelled']);

/** Reads the CLI's task messages: events of single tasks, and lists of all tasks, which only some CLIs send. */
export class TaskLedger {
  #agents = new Set<string>();
  #shells = new Set<string>();

  get agents(): number {
    return this.#agents.size;
  }

  get shells(): number {
    return this.#shells.size;
  }

  observe(message: WireObject): void {
    if (message['type'] !== 'system') return;
    switch (message['subtype']) {
      case 'background_tasks_changed':
        this.#replace(message['tasks']);
        return;
      case 'task_started':
        this.#add(message);
        return;
      case 'task_updated': {
        const patch = message['patch'];
        if (isRecord(patch) && FINAL_STATES.has(String(patch['status']))) this.#end(message);
        return;
      }
      case 'task_notification':
        this.#end(message);
    }
  }

  #add(task: WireObject): void {
    const id = task['task_id'] ?? task['id'];
    if (typeof id === 'string') (isAgentTask(task) ? this.#agents : this.#shells).add(id);
  }

  #replace(tasks: unknown): void {
    if (!Array.isArray(tasks)) return;
    this.#agents.clear();
    this.#shells.clear();
    for (const task of tasks) if (isRecord(task)) this.#add(task);
  }

  #end(message: WireObject): void {
    const id = message['task_id'];
    if (typeof id !== 'string') return;
    this.#agents.delete(id);
    this.#shells.delete(id);
  }
}

/**
 * Recognises shells by their type. A task without a type counts as an agent, so that the input does not end too
 * early.
 */
function isAgentTask(task: WireObject): boolean {
  const type = task['task_type'] ?? task['type'];
  return typeof type !== 'string' || !/bash|shell|monitor/.test(type);
}
