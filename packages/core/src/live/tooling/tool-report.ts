// Makes the report on a session's tools from the CLI's lists, the options, and the diagnosis of each tool.
import type { DefinedTool } from '../../answer/mcp/tool/defined-tool.js';
import { toolName } from '../../answer/mcp/tool/tool-name.js';
import type { Options } from '../../options/options.js';
import {
  diagnoseDefinedTools,
  isDenied,
  type ToolDiagnosis,
  type ToolFacts,
} from '../../answer/diagnosis/diagnose-tool.js';
import type { ToolLists } from './tool-check.js';

/** Which servers and tools a CLI has, which it lacks, and why. */
export interface ToolReport extends ToolLists {
  /** One diagnosis for each tool of this process. It says what keeps the model from using the tool. */
  diagnoses: ToolDiagnosis[];
  /**
   * Servers of this process whose state is not known yet. CLIs before 2.1.289 connect them only with the first
   * message.
   */
  unknown: string[];
}

/** Completes the CLI's lists. A tool that a rule of the session denies does not count as missing. */
export function completeReport(
  lists: ToolLists,
  defined: readonly DefinedTool[],
  options: Options,
): ToolReport {
  const missing = lists.missing.filter((tool) => !isDenied(tool.toolName, options));
  const facts = collectFacts({ ...lists, missing }, defined, options);
  return { ...lists, missing, diagnoses: diagnoseDefinedTools(facts), unknown: [] };
}

/** Collects what `diagnoseTool` needs to know of a session. */
export function collectFacts(lists: ToolLists, defined: readonly DefinedTool[], options: Options): ToolFacts {
  const { allowedTools = [], disallowedTools = [], mcpServers = {} } = options;
  const decided = Object.entries(mcpServers).flatMap(([server, config]) =>
    ('tools' in config ? (config.tools ?? []) : [])
      .filter((tool) => tool.permission_policy !== undefined)
      .map(({ name }) => toolName(server, name)),
  );
  const { servers, listed, missing, deferred } = lists;
  // Old CLIs do not list tools before the first message, so a tool that is not missing counts as listed.
  const present = defined.filter((tool) => !missing.includes(tool)).map((tool) => tool.toolName);
  return {
    defined,
    listed: [...new Set([...listed, ...present])],
    deferred,
    servers,
    // A policy in the server's configuration replaces `allowedTools` for its tool. Which policy it is, is not looked at. The
    // tool counts as allowed, so that no missing rule is reported. A rule that denies it is still reported.
    allowedTools: [...allowedTools, ...decided],
    disallowedTools,
    otherwise: findOtherwise(options),
  };
}

function findOtherwise(options: Options): NonNullable<ToolFacts['otherwise']> {
  const { permissionMode, permissionPrompts, canUseTool, permissionPromptToolName, hooks } = options;
  if (permissionMode === 'bypassPermissions') return 'allow';
  const mayHookDecide = !!hooks?.PreToolUse?.length || !!hooks?.PermissionRequest?.length;
  if (mayHookDecide || permissionMode === 'auto') return 'ask';
  if (permissionMode === 'dontAsk' || permissionPrompts === 'none') return 'deny';
  return canUseTool !== undefined || permissionPromptToolName !== undefined ? 'ask' : 'deny';
}
