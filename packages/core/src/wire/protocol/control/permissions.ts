// The types of permissions: modes, rules and their changes. The question before a tool runs is in `permission-question`.

/**
 * How the CLI decides about tool calls that no rule covers. It asks (`default`), allows edits (`acceptEdits`), allows
 * everything (`bypassPermissions`) or nothing (`dontAsk`), only plans (`plan`), or decides by itself (`auto`).
 */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** What a rule does with the calls it matches. */
export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** Where a permission change is stored; `session` lasts until the session ends. */
export type PermissionUpdateDestination =
  'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** One rule: a tool, and optionally what its input must look like. */
export type PermissionRuleValue = { toolName: string; ruleContent?: string | undefined };

/** A change of the permission rules, mode or directories. */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules';
      rules: PermissionRuleValue[];
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'setMode';
      mode: PermissionMode;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'addDirectories' | 'removeDirectories';
      directories: string[];
      destination: PermissionUpdateDestination;
    };

/** A rule in words: the texts `prefix`, `emphasis` and `suffix`, in this order. */
export type SDKPermissionRuleDescription = { prefix: string; emphasis?: string; suffix?: string };

/** A permission rule in force, and where it comes from. */
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
  /** The rule as a settings file spells it, like `Bash(git *)`. */
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
};

/** A directory that tools may use. */
export type SDKPermissionWorkspaceDirectory = { path: string; source: string };

/** A part of a settings file that could not be read. */
export type SDKSettingsParseError = { file?: string; path: string; message: string };

/** The permission rules in force, as `list_permission_rules` reports them. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};
