// Inputs and outputs of the tools that run commands and watch what runs in the background.

/** `Bash`: one command in the session's shell. */
export interface BashInput {
  command: string;
  /** Milliseconds; at most 600 000 for a command that is waited for. */
  timeout?: number;
  /** What the command does, in a few words for a person. */
  description?: string;
  run_in_background?: boolean;
  /** Runs outside the sandbox, where the settings allow it. */
  dangerouslyDisableSandbox?: boolean;
}

/** The output of a command that exited with code 0; any other end is an error text instead of this. */
export interface BashOutput {
  /** Both streams of the command, in order. */
  stdout: string;
  /** Notes of the shell tool itself, not the command's stderr. */
  stderr: string;
  interrupted: boolean;
  /** Whether `stdout` is a data URL of an image. */
  isImage?: boolean;
  /** Whether such a command usually prints nothing. */
  noOutputExpected?: boolean;
  /** Set when the command continues in the background. */
  backgroundTaskId?: string;
  /** A file with the whole output, where it was too long. */
  persistedOutputPath?: string;
  /** Bytes in that file. */
  persistedOutputSize?: number;
  /** As it was asked for. */
  dangerouslyDisableSandbox?: boolean;
}

/** `TaskStop`: stops a background task; `KillShell` is its former name. */
export interface TaskStopInput {
  task_id?: string;
  /** The former name of `task_id`. */
  shell_id?: string;
}

/** The background task that was stopped. */
export interface TaskStopOutput {
  message: string;
  task_id: string;
  task_type: string;
  command?: string;
}

/** `TaskOutput`: reads the output of a background task. Offered by 2.1.33, no longer by 2.1.325. */
export interface TaskOutputInput {
  task_id: string;
  /** Whether to wait for the end. */
  block: boolean;
  /** Milliseconds to wait at most. */
  timeout: number;
}

/** The output of a background task so far. */
export interface TaskOutputOutput {
  retrieval_status: string;
  task: {
    task_id: string;
    task_type: string;
    status: string;
    description: string;
    output: string;
    exitCode?: number | null;
    prompt?: string;
    result?: string;
    error?: string;
  } | null;
}

/** `Monitor`: reports each line of a command, or each frame of a socket, until a deadline. */
export interface MonitorInput {
  /** Shown in the notices. */
  description: string;
  /** Default 300 000. */
  timeout_ms: number;
  command?: string;
  ws?: { url: string; protocols?: string[] };
}

/** The watch that `Monitor` started. */
export interface MonitorOutput {
  taskId: string;
  timeoutMs: number;
  persistent?: boolean;
}
