// The CLI's settings: the common keys are typed, all others are passed on.
import type { EffortLevel } from './agent-definition.js';
import type { PermissionMode } from '../control/permissions.js';
import type { SandboxSettings } from './sandbox-settings.js';

/** Which settings files are read. */
export type SettingSource = 'user' | 'project' | 'local';

/** Permission rules of a settings file. */
export type PermissionSettings = {
  /** Rules like `Bash(git *)`. */
  allow?: string[];
  deny?: string[];
  ask?: string[];
  defaultMode?: PermissionMode;
  additionalDirectories?: string[];
  [key: string]: unknown;
};

/** The hooks of a settings file for one matcher. */
export type SettingsHookMatcher = {
  matcher?: string;
  hooks: Array<{ type: string; command?: string; timeout?: number; [key: string]: unknown }>;
};

/** A settings file as an object. Keys unknown here are passed on. */
export type Settings = {
  permissions?: PermissionSettings;
  env?: Record<string, string>;
  /** Shell hooks by event; callbacks of this process go into the `hooks` option. */
  hooks?: Record<string, SettingsHookMatcher[]>;
  model?: string;
  fallbackModel?: string | string[];
  availableModels?: string[];
  outputStyle?: string;
  /** The option `effort` also takes `max`. */
  effortLevel?: Exclude<EffortLevel, 'max'>;
  alwaysThinkingEnabled?: boolean;
  fastMode?: boolean;
  sandbox?: SandboxSettings;
  /** By `plugin@marketplace`. */
  enabledPlugins?: Record<string, unknown>;
  enableAllProjectMcpServers?: boolean;
  enabledMcpjsonServers?: string[];
  disabledMcpjsonServers?: string[];
  /** Days after which transcripts are removed. */
  cleanupPeriodDays?: number;
  /** A command that prints an API key. */
  apiKeyHelper?: string;
  language?: string;
  autoCompactEnabled?: boolean;
  autoMemoryEnabled?: boolean;
  [key: string]: unknown;
};
