// The options that a parked CLI still takes when it is claimed, and the result of the claim. Types only.
import type { ClaimError } from '../../errors.js';
import type { AgentDefinition } from '../../wire/protocol/config/agent-definition.js';
import type { FlagSettingsPatch, InitializeResponse } from '../../wire/protocol/control/control.js';
import type { PermissionMode } from '../../wire/protocol/control/permissions.js';

/** Options that can still be given when a parked CLI is claimed. All others are given when it is started. */
export interface ClaimOptions {
  /** The folder to work in. It must exist. */
  cwd: string;
  /** Environment variables. The CLI accepts only a few of them this late, and refuses the claim for any other. */
  env?: Record<string, string> | undefined;
  additionalDirectories?: string[] | undefined;
  model?: string | undefined;
  permissionMode?: PermissionMode | undefined;
  maxThinkingTokens?: number | null | undefined;
  /** Settings that are merged over those of the command line. */
  settings?: FlagSettingsPatch | undefined;
  appendSystemPrompt?: string | undefined;
  title?: string | undefined;
  agents?: Record<string, AgentDefinition> | undefined;
}

/** What is known about a parked CLI once it is bound to a folder. */
export interface ClaimedSession {
  cwd: string;
  sessionId: string;
  /** How long the CLI was parked, in milliseconds. */
  parkedMs?: number;
  /** Whether the in-process servers were connected when the CLI was claimed. */
  sdkMcpSettled: boolean;
}

/** The result of a claim. With `unapplied`, the CLI works in the folder, but not with every option. */
export interface Claim {
  session: ClaimedSession;
  initialize: InitializeResponse | undefined;
  unapplied: ClaimError<ClaimedSession> | undefined;
}
