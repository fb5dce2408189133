// The input of hooks for events outside the conversation: models, files, directories, teams, MCP elicitations, display.
import type { HookEventInput } from './hook-inputs.js';

/** A change of the model that a hook is told about. */
export type HookModelSwitch = {
  from_model: string;
  to_model: string;
  requested_model: string | null;
  context_tokens: number;
  prompt_cache_warm: boolean;
  cache_ttl: '5m' | '1h';
  estimated_cache_write_usd: number;
  pricing: 'catalog' | 'configured' | 'default';
};

/** The model is about to be switched; the hook may block that. */
export type PreModelSwitchHookInput = HookEventInput<'PreModelSwitch'> &
  HookModelSwitch & { source: 'command' | 'picker' | 'sdk' };

/** The model was switched. */
export type PostModelSwitchHookInput = HookEventInput<'PostModelSwitch'> &
  HookModelSwitch & { source: 'command' | 'picker' | 'sdk' | 'auto' | 'resume' };

/** The CLI sets a project up, or maintains it. */
export type SetupHookInput = HookEventInput<'Setup'> & { trigger: 'init' | 'maintenance' };

/** A teammate has nothing to do. */
export type TeammateIdleHookInput = HookEventInput<'TeammateIdle'> & {
  teammate_name: string;
  /** @deprecated Teams are no longer named. */
  team_name: string;
};

/** A task that a hook is told about. */
export type HookTaskFacts = {
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  /** @deprecated Teams are no longer named. */
  team_name?: string;
};

/** An entry was added to the task list. */
export type TaskCreatedHookInput = HookEventInput<'TaskCreated'> & HookTaskFacts;

/** An entry of the task list was completed. */
export type TaskCompletedHookInput = HookEventInput<'TaskCompleted'> & HookTaskFacts;

/** An MCP server asks the user something; the hook may answer. */
export type ElicitationHookInput = HookEventInput<'Elicitation'> & {
  mcp_server_name: string;
  message: string;
  mode?: 'form' | 'url';
  url?: string;
  elicitation_id?: string;
  requested_schema?: Record<string, unknown>;
};

/** The user answered an MCP server; the hook may change the answer. */
export type ElicitationResultHookInput = HookEventInput<'ElicitationResult'> & {
  mcp_server_name: string;
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
  mode?: 'form' | 'url';
  elicitation_id?: string;
};

/** A settings file changed. */
export type ConfigChangeHookInput = HookEventInput<'ConfigChange'> & {
  source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
  file_path?: string;
};

/** A worktree is needed; the hook creates it and returns its path. */
export type WorktreeCreateHookInput = HookEventInput<'WorktreeCreate'> & { name: string };

/** A worktree is no longer needed. */
export type WorktreeRemoveHookInput = HookEventInput<'WorktreeRemove'> & { worktree_path: string };

/** A file with instructions was loaded into the conversation. */
export type InstructionsLoadedHookInput = HookEventInput<'InstructionsLoaded'> & {
  file_path: string;
  memory_type: 'User' | 'Project' | 'Local' | 'Managed';
  load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
  globs?: string[];
  trigger_file_path?: string;
  parent_file_path?: string;
};

/** The working directory changed. */
export type CwdChangedHookInput = HookEventInput<'CwdChanged'> & { old_cwd: string; new_cwd: string };

/** A watched file changed. */
export type FileChangedHookInput = HookEventInput<'FileChanged'> & {
  file_path: string;
  event: 'change' | 'add' | 'unlink';
};

/** A directory was added to the allowed directories. */
export type DirectoryAddedHookInput = HookEventInput<'DirectoryAdded'> & {
  directory: string;
  source: 'register_repo_root' | 'slash_command';
};

/** A part of a message is about to be displayed; the hook may change the text. */
export type MessageDisplayHookInput = HookEventInput<'MessageDisplay'> & {
  turn_id: string;
  message_id: string;
  index: number;
  final: boolean;
  delta: string;
};
