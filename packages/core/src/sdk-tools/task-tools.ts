// Inputs and outputs of the model's own task list, and of the older todo list.

/** How far the model has got with an entry of its list. */
export type TaskStatus = 'pending' | 'in_progress' | 'completed';

/** `TaskCreate`: adds a task to the list. */
export interface TaskCreateInput {
  subject: string;
  description: string;
  /** What is shown while the task is under way. */
  activeForm?: string;
  metadata?: Record<string, unknown>;
}

/** The task that was added, with its new id. */
export interface TaskCreateOutput {
  task: { id: string; subject: string; description?: string };
}

/** `TaskGet`: reads one task by its id. */
export interface TaskGetInput {
  taskId: string;
}

/** The task, or null when there is none with that id. */
export interface TaskGetOutput {
  task: {
    id: string;
    subject: string;
    description: string;
    status: TaskStatus;
    /** Tasks that wait for this one. */
    blocks: string[];
    /** Tasks that this one waits for. */
    blockedBy: string[];
  } | null;
}

/** `TaskUpdate`: changes a task. The status `deleted` removes it. */
export interface TaskUpdateInput {
  taskId: string;
  subject?: string;
  description?: string;
  activeForm?: string;
  status?: TaskStatus | 'deleted';
  addBlocks?: string[];
  addBlockedBy?: string[];
  owner?: string;
  /** Merged into the task's metadata key by key. Null removes a key. */
  metadata?: Record<string, unknown>;
}

/** What was changed. An unknown id gives `success: false`, not an error. */
export interface TaskUpdateOutput {
  success: boolean;
  taskId: string;
  updatedFields: string[];
  error?: string;
  statusChange?: { from: string; to: string };
}

/** `TaskList`: lists all tasks. Takes no input. */
export type TaskListInput = Record<string, never>;

/** All tasks, without their descriptions. */
export interface TaskListOutput {
  tasks: Array<{
    id: string;
    subject: string;
    status: TaskStatus;
    owner?: string;
    blockedBy: string[];
  }>;
}

/** One entry of the list that `TodoWrite` replaces. */
export interface TodoItem {
  content: string;
  status: TaskStatus;
  /** What is shown while the entry is under way. */
  activeForm: string;
}

/** `TodoWrite`: replaces the whole list. CLI 2.1.325 has this tool only if its task list is turned off. */
export interface TodoWriteInput {
  todos: TodoItem[];
}

/** The list before and after it was replaced. */
export interface TodoWriteOutput {
  oldTodos: TodoItem[];
  newTodos: TodoItem[];
}
