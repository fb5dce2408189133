// The CLI's settings. The common keys are typed. All others are passed on.
import type { EffortLevel } from './agent-definition.js';
import type { PermissionMode } from '../control/permissions.js';
import type { SandboxSettings } from './sandbox-settings.js';

/** Which settings files are read. */
export type SettingSource = 'user' | 'project' | 'local';

/** Permission rules of a settings file. */
export type PermissionSettings = {
  /** Rules like `Bash(git *)`. */
  allow?: string[] | undefined;
  deny?: string[] | undefined;
  ask?: string[] | undefined;
  defaultMode?: PermissionMode | undefined;
  additionalDirectories?: string[] | undefined;
  [key: string]: unknown;
};

/** The hooks of a settings file for one matcher. */
export type SettingsHookMatcher = {
  matcher?: string | undefined;
  hooks: Array<{
    type: string;
    command?: string | undefined;
    timeout?: number | undefined;
    [key: string]: unknown;
  }>;
};

/** A settings file as an object. Keys that are not listed here are passed on. */
export type Settings = {
  permissions?: PermissionSettings | undefined;
  env?: Record<string, string> | undefined;
  /** Shell hooks, by event. For callbacks of this process, use the option `hooks`. */
  hooks?: Record<string, SettingsHookMatcher[]> | undefined;
  model?: string | undefined;
  fallbackModel?: string | string[] | undefined;
  availableModels?: string[] | undefined;
  outputStyle?: string | undefined;
  /** How hard the model works. A settings file cannot set `max`, but the option `effort` can. */
  effortLevel?: Exclude<EffortLevel, 'max'> | undefined;
  alwaysThinkingEnabled?: boolean | undefined;
  fastMode?: boolean | undefined;
  sandbox?: SandboxSettings | undefined;
  /** The plugins, by names such as `plugin@marketplace`. */
  enabledPlugins?: Record<string, unknown> | undefined;
  enableAllProjectMcpServers?: boolean | undefined;
  enabledMcpjsonServers?: string[] | undefined;
  disabledMcpjsonServers?: string[] | undefined;
  /** Days after which transcripts are removed. */
  cleanupPeriodDays?: number | undefined;
  /** A command that prints an API key. */
  apiKeyHelper?: string | undefined;
  language?: string | undefined;
  autoCompactEnabled?: boolean | undefined;
  autoMemoryEnabled?: boolean | undefined;
  [key: string]: unknown;
};
