// The permission rules in force, as `list_permission_rules` tells them.
import type { PermissionBehavior } from './permission-payload.js';

/** A rule in words: the emphasis stands between the two others. */
export type SDKPermissionRuleDescription = { prefix: string; emphasis?: string; suffix?: string };

/** One rule. */
export type SDKPermissionRuleEntry = {
  behavior: PermissionBehavior;
  source:
    | 'cliArg'
    | 'command'
    | 'flagSettings'
    | 'hostCredential'
    | 'localSettings'
    | 'mcpMount'
    | 'mcpServerPolicy'
    | 'policySettings'
    | 'projectSettings'
    | 'session'
    | 'toolsNarrowing'
    | 'userSettings';
  /** As it stands in a settings file, like `Bash(git *)`. */
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
};

/** A directory that tools may use. */
export type SDKPermissionWorkspaceDirectory = { path: string; source: string };

/** A part of a settings file that could not be read. */
export type SDKSettingsParseError = { file?: string; path: string; message: string };

/** All of it. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};
