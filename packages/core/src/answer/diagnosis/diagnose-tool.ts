// Finds the reasons why the model cannot call a tool. It needs only plain data about the session, and asks no CLI.
import { allowsTool, deniesTool, splitRules } from '../permissions/tool-rules.js';
import type { DefinedTool } from '../mcp/tool/defined-tool.js';
import { rewriteName } from '../mcp/tool/tool-name.js';
import { findNearestName } from '../../util/nearest-name.js';
import type { ServerReport } from './server-report.js';

/**
 * `missing`: the CLI does not list the tool. `denied`: a rule forbids it, or no rule allows it and nobody can be asked.
 * `shadowed`: another tool has the same name for the model. `deferred`: the model does not see the tool until it searches
 * for it. `renamed`: the model knows the tool by another name.
 */
export type ToolCauseKind = 'missing' | 'denied' | 'shadowed' | 'deferred' | 'renamed';

/** One reason why the model may fail to call a tool, and what to do about it. */
export interface ToolCause {
  kind: ToolCauseKind;
  reason: string;
  advice: string;
}

/** What may keep the model from calling one tool. */
export interface ToolDiagnosis {
  /** The name that was asked about. */
  name: string;
  /** The name the model knows. Undefined if no in-process server defines the tool and the CLI does not list it. */
  toolName: string | undefined;
  /** The most important first. Empty if nothing keeps the model from calling the tool by this name. */
  causes: ToolCause[];
}

/** What is known about a session; every part but the first two may be left out. */
export interface ToolFacts {
  /** The tools of this process. */
  defined: readonly DefinedTool[];
  /** The tools the CLI lists, by the names the model knows. */
  listed: readonly string[];
  /** The defined tools that are behind the CLI's tool search. */
  deferred?: readonly DefinedTool[];
  servers?: readonly ServerReport[];
  allowedTools?: readonly string[];
  disallowedTools?: readonly string[];
  /** What happens to a call that no rule allows. Only `deny` is a cause. Default `ask`. */
  otherwise?: 'ask' | 'allow' | 'deny';
}

/** Explains what keeps the model from calling a tool. `name` may be the name the model knows, or the tool's own. */
export function diagnoseTool(name: string, facts: ToolFacts): ToolDiagnosis {
  const tool = findDefined(name, facts.defined);
  if (tool) return diagnoseDefined(name, tool, facts);
  if (!facts.listed.includes(name))
    return { name, toolName: undefined, causes: [explainUnknown(name, facts)] };
  return { name, toolName: name, causes: [...findDenial(name, facts), ...findLackOfPermission(name, facts)] };
}

/** Diagnoses every tool that is defined in this process. Two tools of the same name get a diagnosis each. */
export function diagnoseDefinedTools(facts: ToolFacts): ToolDiagnosis[] {
  return facts.defined.map((tool) => diagnoseDefined(tool.toolName, tool, facts));
}

function diagnoseDefined(name: string, tool: DefinedTool, facts: ToolFacts): ToolDiagnosis {
  const { toolName } = tool;
  const causes = [
    ...findDenial(toolName, facts),
    ...findShadow(tool, facts.defined),
    ...findAbsence(tool, facts),
    ...findDeferral(tool, facts),
    ...findLackOfPermission(toolName, facts),
    ...findRenaming(name, tool),
  ];
  return { name, toolName, causes };
}

function findDefined(name: string, defined: readonly DefinedTool[]): DefinedTool | undefined {
  return (
    defined.find((tool) => tool.toolName === name) ??
    defined.find((tool) => tool.toolName === rewriteName(name)) ??
    defined.find((tool) => tool.tool === name)
  );
}

function findDenial(toolName: string, { disallowedTools = [] }: ToolFacts): ToolCause[] {
  const rule = splitRules(disallowedTools).find((each) => deniesTool(each, toolName));
  if (rule === undefined) return [];
  return [
    {
      kind: 'denied',
      reason: `the rule "${rule}" in "disallowedTools" hides it from the model`,
      advice: 'Remove the rule, or make it narrower.',
    },
  ];
}

function findLackOfPermission(toolName: string, facts: ToolFacts): ToolCause[] {
  const { allowedTools = [], otherwise = 'ask' } = facts;
  if (otherwise !== 'deny' || !toolName.startsWith('mcp__') || isDenied(toolName, facts)) return [];
  if (splitRules(allowedTools).some((each) => allowsTool(each, toolName))) return [];
  return [
    {
      kind: 'denied',
      reason: 'no rule in "allowedTools" allows it and there is nobody to ask, so the CLI refuses every call',
      advice: `Add "${toolName}" to "allowedTools", or pass a "canUseTool". A hook or a rule in a settings file can also allow it.`,
    },
  ];
}

function findShadow(tool: DefinedTool, defined: readonly DefinedTool[]): ToolCause[] {
  const first = defined.find((other) => other.toolName === tool.toolName);
  if (first === undefined || first === tool) return [];
  const other = `the tool "${first.tool}" of the server "${first.server}"`;
  return [
    {
      kind: 'shadowed',
      reason: `${other} has the same name for the model and comes first`,
      advice: 'Rename one of the two: the CLI replaces everything but letters, digits, "_" and "-".',
    },
  ];
}

function findAbsence({ server, toolName }: DefinedTool, facts: ToolFacts): ToolCause[] {
  // The CLI does not list a denied tool either, but there the rule is the cause.
  if (facts.listed.includes(toolName) || isDenied(toolName, facts)) return [];
  const found = facts.servers?.find((row) => row.name === server);
  const status = found?.status ?? 'absent';
  if (status === 'connected') {
    const reason = `the CLI has connected to the server "${server}" but does not list the tool`;
    return [{ kind: 'missing', reason, advice: 'Look for a warning about its schema or its name.' }];
  }
  const why = found?.error === undefined ? '' : ` (${found.error})`;
  return [
    {
      kind: 'missing',
      reason: `the server "${server}" is ${status}${why}`,
      advice:
        status === 'pending' || status === 'absent'
          ? 'Wait for "ready()" before you ask the model to use it. On CLI 2.1.33, in-process servers connect with the first message.'
          : 'Fix the server, or remove it from "mcpServers".',
    },
  ];
}

/** Whether a rule in `disallowedTools` hides a tool from the model. */
export function isDenied(
  toolName: string,
  { disallowedTools = [] }: Pick<ToolFacts, 'disallowedTools'>,
): boolean {
  return splitRules(disallowedTools).some((rule) => deniesTool(rule, toolName));
}

function findDeferral(tool: DefinedTool, { deferred = [] }: ToolFacts): ToolCause[] {
  if (!deferred.some(({ toolName }) => toolName === tool.toolName)) return [];
  const advice =
    tool.loading === 'author'
      ? 'That is what "alwaysLoad: false" asks for. Set it to true, or leave it out.'
      : 'Set "alwaysLoad: true" on the tool or its server.';
  return [
    { kind: 'deferred', reason: 'the model does not see it until it searches for it (tool search)', advice },
  ];
}

function findRenaming(name: string, { server, tool, toolName }: DefinedTool): ToolCause[] {
  const isRewritten = rewriteName(tool) !== tool || rewriteName(server) !== server;
  if (name === toolName && !isRewritten) return [];
  const written = name === toolName ? `"${tool}" of the server "${server}"` : `"${name}"`;
  return [
    {
      kind: 'renamed',
      reason: `the model knows ${written} as "${toolName}"`,
      advice: `Write "${toolName}" in rules, hooks and prompts, or use toolName().`,
    },
  ];
}

function explainUnknown(name: string, { defined, listed }: ToolFacts): ToolCause {
  const known = [...defined.map(({ toolName }) => toolName), ...listed];
  const nearest = findNearestName(name, known);
  return {
    kind: 'missing',
    reason: 'no server in the session has it, and the CLI does not list it',
    advice: nearest === undefined ? 'Add its server to "mcpServers".' : `Did you mean "${nearest}"?`,
  };
}
