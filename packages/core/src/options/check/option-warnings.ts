// Warns of options that are allowed but probably not meant: unknown names and values, options without effect, a
// permission callback that is never called.
import { allowsTool, splitRules } from '../../answer/permissions/tool-rules.js';
import { toolName } from '../../answer/mcp/tool/tool-name.js';
import { findNearestName } from '../../util/nearest-name.js';
import { findOptionRow, listGiven, OPTION_NAMES } from '../rows/option-rows.js';
import type { Options } from '../options.js';
import { findWrongToolNames, listOwnServers } from './tool-names.js';
import type { InboardWarning } from './warning.js';

// Names from other versions and SDKs. They differ too much from today's names to be found as a misspelling.
const FORMER_NAMES = new Map([
  ['customSystemPrompt', '"systemPrompt"'],
  ['appendSystemPrompt', "\"systemPrompt\" with { type: 'preset', preset: 'claude_code', append }"],
  ['mcpConfig', '"mcpServers"'],
  ['signal', '"abortController"'],
]);

/** All warnings about options of the right shapes. */
export function findOptionWarnings(options: Options): InboardWarning[] {
  return [
    ...findUnknownNames(options),
    ...listGiven(options).flatMap(({ name, value, row }) =>
      [...findUnknownValues(name, value, row.known), ...(row.findWarnings?.(value) ?? [])].map((warning) => ({
        ...warning,
        options: [name],
      })),
    ),
    ...findWrongToolNames(options),
    ...findShadowedCallback(options),
    ...findIgnoredResume(options),
  ];
}

function findUnknownNames(options: Options): InboardWarning[] {
  // Programs that wrap `query` mark options with fields whose names begin with two underscores.
  const unknown = Object.keys(options).filter((name) => !name.startsWith('__') && !findOptionRow(name));
  return unknown.map((name) => {
    const nearest = findNearestName(name, OPTION_NAMES);
    const meant = FORMER_NAMES.get(name) ?? (nearest && `"${nearest}"`);
    return {
      code: 'UNKNOWN_OPTION',
      message: `There is no option "${name}"; it has no effect.${meant ? ` Did you mean ${meant}?` : ''}`,
      options: [name],
    };
  });
}

function findUnknownValues(
  name: string,
  given: unknown,
  known: readonly string[] | undefined,
): InboardWarning[] {
  if (!known) return [];
  const values = (Array.isArray(given) ? given : [given]).filter((value) => typeof value === 'string');
  return values
    .filter((value) => !known.includes(value))
    .map((value) => {
      const nearest = findNearestName(value, known);
      return {
        code: 'UNKNOWN_VALUE',
        message:
          `The option "${name}" has the value "${value}", which Inboard does not know and passes on. ` +
          (nearest ? `Did you mean "${nearest}"?` : `Known values: ${known.join(', ')}.`),
      };
    });
}

function findShadowedCallback(options: Options): InboardWarning[] {
  const { canUseTool, permissionMode, permissionPrompts } = options;
  if (!canUseTool) return [];
  const warn = (by: keyof Options, why: string): InboardWarning[] => [
    {
      code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED',
      message: `The callback "canUseTool" is not called ${why}.`,
      options: ['canUseTool', by],
    },
  ];
  if (permissionMode === 'bypassPermissions')
    return warn('permissionMode', 'while "permissionMode" is "bypassPermissions"');
  if (permissionPrompts === 'none') return warn('permissionPrompts', 'while "permissionPrompts" is "none"');
  if (!isAllAllowed(options)) return [];
  return warn(
    'allowedTools',
    'for any tool: "allowedTools" lets every tool of the session run without asking. Remove the tools it should decide about',
  );
}

/** Whether rules allow every tool that these options give the model, so that none is left for the callback. */
function isAllAllowed(options: Options): boolean {
  const { tools, mcpServers = {}, allowedTools = [] } = options;
  if (!Array.isArray(tools) || allowedTools.length === 0) return false;
  const rules = splitRules(allowedTools);
  const isAllowed = (name: string): boolean => rules.some((rule) => allowsTool(rule, name));
  const own = new Map(listOwnServers(options).map((server) => [server.key, server]));
  return (
    tools.every((name) => isAllowed(name)) &&
    Object.keys(mcpServers).every((key) => {
      const server = own.get(key);
      if (isAllowed(toolName(key, 'any'))) return true;
      return server !== undefined && server.tools.every((name) => isAllowed(toolName(key, name)));
    })
  );
}

function findIgnoredResume(options: Options): InboardWarning[] {
  if (!options.resume || !options.continue) return [];
  return [
    {
      code: 'OPTION_IGNORED',
      message:
        'The option "continue" takes precedence over "resume": the CLI continues its latest session, not the named one.',
      options: ['resume', 'continue'],
    },
  ];
}
