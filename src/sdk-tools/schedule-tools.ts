// Inputs and outputs of the tools that put work off, and of those that move the session to another checkout.

/** `CronCreate`: sends a prompt at set times. */
export interface CronCreateInput {
  /** Five fields, local time. */
  cron: string;
  prompt: string;
  /** Default true. */
  recurring?: boolean;
  /** Default false: the job ends with the session. */
  durable?: boolean;
}

/** The job that was made. */
export interface CronCreateOutput {
  id: string;
  humanSchedule: string;
  recurring: boolean;
  durable?: boolean;
  /** Milliseconds since 1970. */
  nextFireAt?: number;
}

/** `CronDelete`: an unknown id is an error. */
export interface CronDeleteInput {
  id: string;
}

/** The job that was removed. */
export interface CronDeleteOutput {
  id: string;
}

/** `CronList`: takes nothing. */
export type CronListInput = Record<string, never>;

/** All jobs. */
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

/** `ScheduleWakeup`: when a loop goes on, or, with `stop`, that it does not. */
export interface ScheduleWakeupInput {
  /** 60 to 3600; other values are brought into that range. */
  delaySeconds?: number;
  reason?: string;
  prompt?: string;
  stop?: boolean;
  /** Whether nothing was worth telling this time. */
  noop?: boolean;
}

/** When the loop goes on. */
export interface ScheduleWakeupOutput {
  /** Milliseconds since 1970; 0 when it stopped. */
  scheduledFor: number;
  clampedDelaySeconds: number;
  wasClamped: boolean;
  stopped?: boolean;
  cancelledWakeups?: number;
}

/** `EnterWorktree`: goes to a new checkout, or to an existing one by its path. */
export interface EnterWorktreeInput {
  name?: string;
  path?: string;
}

/** Where the session is now. */
export interface EnterWorktreeOutput {
  worktreePath: string;
  worktreeBranch?: string;
  message: string;
}

/** `ExitWorktree`: goes back, and keeps or removes the checkout. */
export interface ExitWorktreeInput {
  action: 'keep' | 'remove';
  /** Needed to remove a checkout with changes in it. */
  discard_changes?: boolean;
}

/** What became of the checkout. */
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
