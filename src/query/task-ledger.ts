// Which background agents are alive. Their tools and permission questions come back over the input, so it
// must stay open for them; a background shell asks nothing and holds nothing.
import type { WireObject } from '../protocol/codec.js';
import { isWireObject } from '../protocol/codec.js';

const FINAL_STATES = new Set(['completed', 'failed', 'stopped', 'killed', 'cancelled']);

/** Keeps the set from the CLI's task messages: whole lists where it sends them, single events elsewhere. */
export class TaskLedger {
  #alive = new Set<string>();

  get alive(): number {
    return this.#alive.size;
  }

  observe(message: WireObject): void {
    if (message['type'] !== 'system') return;
    switch (message['subtype']) {
      case 'background_tasks_changed':
        this.#replace(message['tasks']);
        return;
      case 'task_started':
        if (isAgentTask(message) && typeof message['task_id'] === 'string')
          this.#alive.add(message['task_id']);
        return;
      case 'task_updated': {
        const patch = message['patch'];
        if (isWireObject(patch) && FINAL_STATES.has(String(patch['status']))) this.#end(message);
        return;
      }
      case 'task_notification':
        this.#end(message);
    }
  }

  #replace(tasks: unknown): void {
    if (!Array.isArray(tasks)) return;
    this.#alive = new Set(
      tasks
        .filter(isWireObject)
        .filter(isAgentTask)
        .map((task) => String(task['task_id'] ?? task['id'])),
    );
  }

  #end(message: WireObject): void {
    if (typeof message['task_id'] === 'string') this.#alive.delete(message['task_id']);
  }
}

/** Shells are known by their type; what has no type is taken for an agent, which errs on the side of waiting. */
function isAgentTask(task: WireObject): boolean {
  const type = task['task_type'] ?? task['type'];
  return typeof type !== 'string' || !/bash|shell|monitor/.test(type);
}
