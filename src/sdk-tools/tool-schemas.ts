// All tools: by the name in a `tool_use` block, and as one union.
import type {
  AgentInput,
  AgentOutput,
  ListAgentsInput,
  ListAgentsOutput,
  ReportFindingsInput,
  ReportFindingsOutput,
  SendMessageInput,
  SendMessageOutput,
  SkillInput,
  SkillOutput,
  WorkflowInput,
  WorkflowOutput,
} from './agent-tools.js';
import type {
  FileEditInput,
  FileEditOutput,
  FileReadInput,
  FileReadOutput,
  FileWriteInput,
  FileWriteOutput,
  GlobInput,
  GlobOutput,
  GrepInput,
  GrepOutput,
  NotebookEditInput,
  NotebookEditOutput,
} from './file-tools.js';
import type {
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  McpInput,
  McpOutput,
  ReadMcpResourceDirInput,
  ReadMcpResourceDirOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
} from './mcp-tools.js';
import type {
  CronCreateInput,
  CronCreateOutput,
  CronDeleteInput,
  CronDeleteOutput,
  CronListInput,
  CronListOutput,
  EnterWorktreeInput,
  EnterWorktreeOutput,
  ExitWorktreeInput,
  ExitWorktreeOutput,
  ScheduleWakeupInput,
  ScheduleWakeupOutput,
} from './schedule-tools.js';
import type {
  BashInput,
  BashOutput,
  MonitorInput,
  MonitorOutput,
  TaskOutputInput,
  TaskOutputOutput,
  TaskStopInput,
  TaskStopOutput,
} from './shell-tools.js';
import type {
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListInput,
  TaskListOutput,
  TaskUpdateInput,
  TaskUpdateOutput,
  TodoWriteInput,
  TodoWriteOutput,
} from './task-tools.js';
import type { UnseenFields } from './unseen-tools.js';
import type {
  AskUserQuestionInput,
  AskUserQuestionOutput,
  EnterPlanModeInput,
  EnterPlanModeOutput,
  ExitPlanModeInput,
  ExitPlanModeOutput,
  SendUserMessageInput,
  SendUserMessageOutput,
} from './user-tools.js';
import type { WebFetchInput, WebFetchOutput, WebSearchInput, WebSearchOutput } from './web-tools.js';

/** The input of each tool, by its name on the stream. `Task` is what 2.1.33 calls `Agent`. */
export interface ToolInputMap {
  Agent: AgentInput;
  AskUserQuestion: AskUserQuestionInput;
  Bash: BashInput;
  CronCreate: CronCreateInput;
  CronDelete: CronDeleteInput;
  CronList: CronListInput;
  Edit: FileEditInput;
  EnterPlanMode: EnterPlanModeInput;
  EnterWorktree: EnterWorktreeInput;
  ExitPlanMode: ExitPlanModeInput;
  ExitWorktree: ExitWorktreeInput;
  Glob: GlobInput;
  Grep: GrepInput;
  ListAgents: ListAgentsInput;
  ListMcpResourcesTool: ListMcpResourcesInput;
  Monitor: MonitorInput;
  NotebookEdit: NotebookEditInput;
  Read: FileReadInput;
  ReadMcpResourceDirTool: ReadMcpResourceDirInput;
  ReadMcpResourceTool: ReadMcpResourceInput;
  ReportFindings: ReportFindingsInput;
  ScheduleWakeup: ScheduleWakeupInput;
  SendMessage: SendMessageInput;
  SendUserMessage: SendUserMessageInput;
  Skill: SkillInput;
  Task: AgentInput;
  TaskCreate: TaskCreateInput;
  TaskGet: TaskGetInput;
  TaskList: TaskListInput;
  TaskOutput: TaskOutputInput;
  TaskStop: TaskStopInput;
  TaskUpdate: TaskUpdateInput;
  TodoWrite: TodoWriteInput;
  WebFetch: WebFetchInput;
  WebSearch: WebSearchInput;
  Workflow: WorkflowInput;
  Write: FileWriteInput;
}

/** The output of each tool, by its name on the stream. `Task` is what 2.1.33 calls `Agent`. */
export interface ToolOutputMap {
  Agent: AgentOutput;
  AskUserQuestion: AskUserQuestionOutput;
  Bash: BashOutput;
  CronCreate: CronCreateOutput;
  CronDelete: CronDeleteOutput;
  CronList: CronListOutput;
  Edit: FileEditOutput;
  EnterPlanMode: EnterPlanModeOutput;
  EnterWorktree: EnterWorktreeOutput;
  ExitPlanMode: ExitPlanModeOutput;
  ExitWorktree: ExitWorktreeOutput;
  Glob: GlobOutput;
  Grep: GrepOutput;
  ListAgents: ListAgentsOutput;
  ListMcpResourcesTool: ListMcpResourcesOutput;
  Monitor: MonitorOutput;
  NotebookEdit: NotebookEditOutput;
  Read: FileReadOutput;
  ReadMcpResourceDirTool: ReadMcpResourceDirOutput;
  ReadMcpResourceTool: ReadMcpResourceOutput;
  ReportFindings: ReportFindingsOutput;
  ScheduleWakeup: ScheduleWakeupOutput;
  SendMessage: SendMessageOutput;
  SendUserMessage: SendUserMessageOutput;
  Skill: SkillOutput;
  Task: AgentOutput;
  TaskCreate: TaskCreateOutput;
  TaskGet: TaskGetOutput;
  TaskList: TaskListOutput;
  TaskOutput: TaskOutputOutput;
  TaskStop: TaskStopOutput;
  TaskUpdate: TaskUpdateOutput;
  TodoWrite: TodoWriteOutput;
  WebFetch: WebFetchOutput;
  WebSearch: WebSearchOutput;
  Workflow: WorkflowOutput;
  Write: FileWriteOutput;
}

/** The input of any tool, those of MCP servers included. */
export type ToolInputSchemas = ToolInputMap[keyof ToolInputMap] | McpInput;

/** The output of any tool, those of MCP servers included. */
export type ToolOutputSchemas = ToolOutputMap[keyof ToolOutputMap] | McpOutput | UnseenFields;
