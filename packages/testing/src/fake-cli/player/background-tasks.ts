// The background tasks of a fake CLI, and the messages about their start and end. The older CLI does not send these
// messages.
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import type { TaskStart } from '../script/fake-step.js';
import { createToolUseId, type FakeTurn } from './fake-turn.js';
import type { MessageWriter } from '../host/message-writer.js';

interface RunningTask {
  readonly id: string;
  readonly type: TaskStart['type'];
  readonly description: string;
  readonly toolUseId: string;
}

export class BackgroundTasks {
  readonly #writer: MessageWriter;
  readonly #running: RunningTask[] = [];

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  /** Whether an agent runs. The session is not idle while one does. */
  get hasAgent(): boolean {
    return this.#running.some(({ type }) => type === 'agent');
  }

  /** Starts a task on behalf of the model. */
  start(
    { id = `task_${randomUUID().slice(0, 8)}`, type, description = 'In the background' }: TaskStart,
    turn: FakeTurn,
  ): void {
    const isAgent = type === 'agent';
    const toolUseId = createToolUseId();
    const input = isAgent
      ? { description, prompt: description, run_in_background: true }
      : { command: 'sleep 600', description, run_in_background: true };
    turn.useTool(toolUseId, isAgent ? (this.#writer.isOld ? 'Task' : 'Agent') : 'Bash', input);
    this.#running.push({ id, type, description, toolUseId });
    this.#sendList();
    this.#writer.newerSystem('task_started', {
      task_id: id,
      tool_use_id: toolUseId,
      description,
      is_backgrounded: true,
      task_type: isAgent ? 'local_agent' : 'local_bash',
      ...(isAgent && { subagent_type: 'general-purpose', prompt: description }),
    });
    const content = isAgent
      ? 'Async agent launched successfully.'
      : `Command running in background with ID: ${id}`;
    turn.addUserLine([{ tool_use_id: toolUseId, type: 'tool_result', content }]);
  }

  /** Ends a task, by default the last one started. Returns the task, or undefined if there is no such task. */
  finish(id: string | undefined, status: string, summary: string): RunningTask | undefined {
    const task = id === undefined ? this.#running.at(-1) : this.#running.find((one) => one.id === id);
    if (!task) return undefined;
    this.#running.splice(this.#running.indexOf(task), 1);
    const patch = { status: status === 'stopped' ? 'killed' : status };
    this.#writer.newerSystem('task_updated', { task_id: task.id, patch });
    this.#writer.newerSystem('task_notification', {
      task_id: task.id,
      tool_use_id: task.toolUseId,
      status,
      output_file: '',
      summary,
      usage: { total_tokens: 15, tool_uses: 0, duration_ms: 1 },
    });
    this.#sendList();
    return task;
  }

  #sendList(): void {
    const tasks = this.#running.map(({ id, type, description }) => ({
      task_id: id,
      task_type: type === 'agent' ? 'local_agent' : 'local_bash',
      description,
    }));
    this.#writer.newerSystem('background_tasks_changed', { tasks });
  }
}
