// Inputs and outputs of the tools that run commands and watch what runs in the background.

/** `Bash`: runs one command in the session's shell. */
export interface BashInput {
  command: string;
  /** The limit in milliseconds. At most 600 000 for a command in the foreground. */
  timeout?: number;
  /** What the command does, in a few words for a person. */
  description?: string;
  run_in_background?: boolean;
  /** Runs the command outside the sandbox, if the settings allow that. */
  dangerouslyDisableSandbox?: boolean;
}

/**
 * The output of a command that exited with code 0, or continues in the background. After any other end, there is an error
 * text instead of this object.
 */
export interface BashOutput {
  /** What the command wrote to standard output and standard error, in order. */
  stdout: string;
  /** Notes of the shell tool itself, not the command's stderr. */
  stderr: string;
  interrupted: boolean;
  /** Whether `stdout` is a data URL of an image. */
  isImage?: boolean;
  /** Whether a command of this kind usually prints nothing. */
  noOutputExpected?: boolean;
  /** Set when the command continues in the background. */
  backgroundTaskId?: string;
  /** A file with the whole output, if the output was too long. */
  persistedOutputPath?: string;
  /** The size of that file in bytes. */
  persistedOutputSize?: number;
  /** The value from the input. */
  dangerouslyDisableSandbox?: boolean;
}

/** `TaskStop`: stops a background task. `KillShell` is its former name. */
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

/** `TaskOutput`: reads the output of a background task. CLI 2.1.33 has this tool, and 2.1.325 no longer has it. */
export interface TaskOutputInput {
  task_id: string;
  /** Whether to wait for the end of the task. */
  block: boolean;
  /** How long to wait at most, in milliseconds. */
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
