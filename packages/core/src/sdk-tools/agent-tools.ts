// Inputs and outputs of the tools that delegate work: subagents, skills, workflows, reviews.

/** `Agent`, listed as `Task` in the init message: gives a task to a subagent. */
export interface AgentInput {
  /** The task in three to five words. */
  description: string;
  prompt: string;
  /** Default `general-purpose`. CLI 2.1.33 requires this field. */
  subagent_type?: string;
  model?: 'sonnet' | 'opus' | 'haiku' | 'fable';
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** If this is left out, CLI 2.1.325 decides by itself, and usually chooses the background. */
  run_in_background?: boolean;
  /** Whether the agent works in a checkout of its own, or on another machine. */
  isolation?: 'worktree' | 'remote';
}

/** The result of a subagent that the model waited for. */
export interface AgentCompleted {
  status: 'completed';
  prompt: string;
  agentId: string;
  agentType?: string;
  /** The subagent's last message. */
  content: Array<{ type: 'text'; text: string }>;
  resolvedModel?: string;
  totalDurationMs: number;
  /** The input and output tokens of the subagent's last API call, including cached ones. */
  totalTokens: number;
  totalToolUseCount: number;
  /** The usage of the subagent's last API call. */
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number | null;
    cache_read_input_tokens: number | null;
    [field: string]: unknown;
  };
  canContinueAgent?: boolean;
}

/** A subagent that continues in the background. */
export interface AgentLaunched {
  isAsync?: true;
  status: 'async_launched';
  agentId: string;
  description: string;
  prompt: string;
  resolvedModel?: string;
  /** A file to which its output is appended. */
  outputFile: string;
  canReadOutputFile?: boolean;
  canContinueAgent?: boolean;
}

/** A subagent that works on another machine. */
export interface AgentLaunchedRemotely {
  status: 'remote_launched';
  taskId: string;
  /** Where its session can be watched. */
  sessionUrl: string;
  description: string;
  prompt: string;
  /** A file to which its output is appended. */
  outputFile: string;
}

/** The result of a subagent. Narrow it by `status`. */
export type AgentOutput = AgentCompleted | AgentLaunched | AgentLaunchedRemotely;

/** `SendMessage`: writes to another agent or session. */
export interface SendMessageInput {
  to: string;
  summary?: string;
  message: string;
  notify_when_idle?: boolean;
}

/** Whether the message reached its recipient. */
export interface SendMessageOutput {
  success: boolean;
  message: string;
  display?: string;
}

/** `ListAgents`: lists the agents and sessions that can be written to. */
export interface ListAgentsInput {
  channel?: string;
  q?: string;
}

/** The agents and sessions that can be written to. */
export interface ListAgentsOutput {
  /** The list as text, for the model. */
  listing: string;
  sections: unknown[];
  notes: unknown[];
}

/** `Skill`: loads a skill by name. */
export interface SkillInput {
  skill: string;
  args?: string;
}

/** Whether the skill was found. */
export interface SkillOutput {
  success: boolean;
  commandName: string;
  [field: string]: unknown;
}

/** `Workflow`: runs a script that directs several agents, given by `script`, `name` or `scriptPath`. */
export interface WorkflowInput {
  script?: string;
  name?: string;
  scriptPath?: string;
  /** Passed to the script unchanged. */
  args?: unknown;
  resumeFromRunId?: string;
  /** The CLI does not read this. */
  description?: string;
  /** The CLI does not read this. */
  title?: string;
}

/** The workflow that was started. */
export interface WorkflowOutput {
  status: 'async_launched' | 'remote_launched';
  taskId: string;
  taskType?: 'local_workflow' | 'remote_agent';
  workflowName?: string;
  runId?: string;
  summary?: string;
  transcriptDir?: string;
  scriptPath?: string;
}

/** One defect that a review found. */
export interface ReviewFinding {
  /** The path, relative to the repository. */
  file: string;
  /** Counted from 1. */
  line?: number;
  summary: string;
  short_summary?: string;
  failure_scenario: string;
  category?: string;
  verdict?: 'CONFIRMED' | 'PLAUSIBLE';
  outcome?: 'fixed' | 'skipped' | 'no_change_needed';
}

/** `ReportFindings`: submits the findings of a review. */
export interface ReportFindingsInput {
  level?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** The findings, worst first. */
  findings: ReviewFinding[];
}

/** The findings as they were accepted. */
export interface ReportFindingsOutput {
  count: number;
  level?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  findings: ReviewFinding[];
}
