// The types of all tools that were observed, by the name in a `tool_use` block and as one union.
import type * as Agents from './agent-tools.js';
import type * as Files from './file-tools.js';
import type * as Mcp from './mcp-tools.js';
import type * as Schedule from './schedule-tools.js';
import type * as Shell from './shell-tools.js';
import type * as Tasks from './task-tools.js';
import type { UnseenFields } from './unseen-tools.js';
import type * as User from './user-tools.js';
import type * as Web from './web-tools.js';

/** The input of each tool, by its name on the stream. `Task` is what 2.1.33 calls `Agent`. */
export interface ToolInputMap {
  Agent: Agents.AgentInput;
  AskUserQuestion: User.AskUserQuestionInput;
  Bash: Shell.BashInput;
  CronCreate: Schedule.CronCreateInput;
  CronDelete: Schedule.CronDeleteInput;
  CronList: Schedule.CronListInput;
  Edit: Files.FileEditInput;
  EnterPlanMode: User.EnterPlanModeInput;
  EnterWorktree: Schedule.EnterWorktreeInput;
  ExitPlanMode: User.ExitPlanModeInput;
  ExitWorktree: Schedule.ExitWorktreeInput;
  Glob: Files.GlobInput;
  Grep: Files.GrepInput;
  ListAgents: Agents.ListAgentsInput;
  ListMcpResourcesTool: Mcp.ListMcpResourcesInput;
  Monitor: Shell.MonitorInput;
  NotebookEdit: Files.NotebookEditInput;
  Read: Files.FileReadInput;
  ReadMcpResourceDirTool: Mcp.ReadMcpResourceDirInput;
  ReadMcpResourceTool: Mcp.ReadMcpResourceInput;
  ReportFindings: Agents.ReportFindingsInput;
  ScheduleWakeup: Schedule.ScheduleWakeupInput;
  SendMessage: Agents.SendMessageInput;
  SendUserMessage: User.SendUserMessageInput;
  Skill: Agents.SkillInput;
  Task: Agents.AgentInput;
  TaskCreate: Tasks.TaskCreateInput;
  TaskGet: Tasks.TaskGetInput;
  TaskList: Tasks.TaskListInput;
  TaskOutput: Shell.TaskOutputInput;
  TaskStop: Shell.TaskStopInput;
  TaskUpdate: Tasks.TaskUpdateInput;
  TodoWrite: Tasks.TodoWriteInput;
  WebFetch: Web.WebFetchInput;
  WebSearch: Web.WebSearchInput;
  Workflow: Agents.WorkflowInput;
  Write: Files.FileWriteInput;
}

/** The output of each tool, by its name on the stream. `Task` is what 2.1.33 calls `Agent`. */
export interface ToolOutputMap {
  Agent: Agents.AgentOutput;
  AskUserQuestion: User.AskUserQuestionOutput;
  Bash: Shell.BashOutput;
  CronCreate: Schedule.CronCreateOutput;
  CronDelete: Schedule.CronDeleteOutput;
  CronList: Schedule.CronListOutput;
  Edit: Files.FileEditOutput;
  EnterPlanMode: User.EnterPlanModeOutput;
  EnterWorktree: Schedule.EnterWorktreeOutput;
  ExitPlanMode: User.ExitPlanModeOutput;
  ExitWorktree: Schedule.ExitWorktreeOutput;
  Glob: Files.GlobOutput;
  Grep: Files.GrepOutput;
  ListAgents: Agents.ListAgentsOutput;
  ListMcpResourcesTool: Mcp.ListMcpResourcesOutput;
  Monitor: Shell.MonitorOutput;
  NotebookEdit: Files.NotebookEditOutput;
  Read: Files.FileReadOutput;
  ReadMcpResourceDirTool: Mcp.ReadMcpResourceDirOutput;
  ReadMcpResourceTool: Mcp.ReadMcpResourceOutput;
  ReportFindings: Agents.ReportFindingsOutput;
  ScheduleWakeup: Schedule.ScheduleWakeupOutput;
  SendMessage: Agents.SendMessageOutput;
  SendUserMessage: User.SendUserMessageOutput;
  Skill: Agents.SkillOutput;
  Task: Agents.AgentOutput;
  TaskCreate: Tasks.TaskCreateOutput;
  TaskGet: Tasks.TaskGetOutput;
  TaskList: Tasks.TaskListOutput;
  TaskOutput: Shell.TaskOutputOutput;
  TaskStop: Shell.TaskStopOutput;
  TaskUpdate: Tasks.TaskUpdateOutput;
  TodoWrite: Tasks.TodoWriteOutput;
  WebFetch: Web.WebFetchOutput;
  WebSearch: Web.WebSearchOutput;
  Workflow: Agents.WorkflowOutput;
  Write: Files.FileWriteOutput;
}

/** The input of any tool, including tools of MCP servers. */
export type ToolInputSchemas = ToolInputMap[keyof ToolInputMap] | Mcp.McpInput;

/** The output of any tool, including tools of MCP servers. */
export type ToolOutputSchemas = ToolOutputMap[keyof ToolOutputMap] | Mcp.McpOutput | UnseenFields;
