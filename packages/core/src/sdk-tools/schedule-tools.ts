// Inputs and outputs of the tools that schedule work, and of those that move the session to another checkout.

/** `CronCreate`: sends a prompt at scheduled times. */
export interface CronCreateInput {
  /** A cron expression of five fields, in local time. */
  cron: string;
  prompt: string;
  /** Default true. */
  recurring?: boolean;
  /** Whether the job outlives the session. Default false. */
  durable?: boolean;
}

/** The job that was created. */
export interface CronCreateOutput {
  id: string;
  humanSchedule: string;
  recurring: boolean;
  durable?: boolean;
  /** Milliseconds since 1970. */
  nextFireAt?: number;
}

/** `CronDelete`: removes a scheduled job. An unknown id is an error. */
export interface CronDeleteInput {
  id: string;
}

/** The job that was removed. */
export interface CronDeleteOutput {
  id: string;
}

/** `CronList`: lists the scheduled jobs. Takes no input. */
export type CronListInput = Record<string, never>;

/** All scheduled jobs of the session. */
export interface CronListOutput {
  jobs: Array<{
    id: string;
    cron: string;
    humanSchedule: string;
    prompt: string;
    recurring?: boolean;
    durable?: boolean;
    nextFireAt?: number;
  }>;
}

/** `ScheduleWakeup`: says when a loop continues. With `stop`, the loop ends. */
export interface ScheduleWakeupInput {
  /** From 60 to 3600. Other values are brought into that range. */
  delaySeconds?: number;
  reason?: string;
  prompt?: string;
  stop?: boolean;
  /** Whether there was nothing to report this time. */
  noop?: boolean;
}

/** When the loop continues. */
export interface ScheduleWakeupOutput {
  /** Milliseconds since 1970. 0 if the loop ended. */
  scheduledFor: number;
  clampedDelaySeconds: number;
  wasClamped: boolean;
  stopped?: boolean;
  cancelledWakeups?: number;
}

/** `EnterWorktree`: moves the session to a new checkout, or to an existing one by its path. */
export interface EnterWorktreeInput {
  name?: string;
  path?: string;
}

/** The checkout that the session now works in. */
export interface EnterWorktreeOutput {
  worktreePath: string;
  worktreeBranch?: string;
  message: string;
}

/** `ExitWorktree`: moves the session back, and keeps or removes the checkout. */
export interface ExitWorktreeInput {
  action: 'keep' | 'remove';
  /** Must be true to remove a checkout that has changes. */
  discard_changes?: boolean;
}

/** Whether the checkout was kept or removed, and what was discarded. */
export interface ExitWorktreeOutput {
  action: 'keep' | 'remove';
  originalCwd: string;
  worktreePath: string;
  worktreeBranch?: string;
  discardedFiles?: number;
  discardedCommits?: number;
  restoredCwd?: string;
  originalCwdMissing?: boolean;
  message: string;
}
