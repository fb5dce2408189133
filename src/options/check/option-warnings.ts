// Options that are allowed but probably not meant: unknown names and values, options without effect, a permission
// callback that is never called.
import { findNearestName } from '../../util/nearest-name.js';
import { findRow, listGiven, OPTION_NAMES } from '../rows/option-rows.js';
import type { Options } from '../options.js';
import type { InboardWarning } from './warning.js';

// Names from other versions and SDKs that are too different for a spelling suggestion.
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
    ...findShadowedCallback(options),
    ...findIgnoredResume(options),
  ];
}

function findUnknownNames(options: Options): InboardWarning[] {
  const unknown = Object.keys(options).filter((name) => !findRow(name));
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
          `The option "${name}" has the value "${value}", which is not known here and is passed on. ` +
          (nearest ? `Did you mean "${nearest}"?` : `Known are: ${known.join(', ')}.`),
      };
    });
}

function findShadowedCallback(options: Options): InboardWarning[] {
  const { canUseTool, permissionMode, permissionPrompts, allowedTools = [] } = options;
  if (!canUseTool) return [];
  const warn = (by: keyof Options, why: string): InboardWarning[] => [
    {
      code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED',
      message: `The callback "canUseTool" is not asked ${why}.`,
      options: ['canUseTool', by],
    },
  ];
  if (permissionMode === 'bypassPermissions')
    return warn('permissionMode', 'while "permissionMode" is "bypassPermissions"');
  if (permissionPrompts === 'none') return warn('permissionPrompts', 'while "permissionPrompts" is "none"');
  const whole = allowedTools.filter((rule) => !rule.includes('(')).join(', ');
  const why = `about ${whole}: "allowedTools" runs them without asking. Take out the tools it should decide about`;
  return whole === '' ? [] : warn('allowedTools', why);
}

function findIgnoredResume(options: Options): InboardWarning[] {
  if (!options.resume || !options.continue) return [];
  return [
    {
      code: 'OPTION_IGNORED',
      message:
        'The option "continue" wins over "resume": the CLI goes on with its latest session, not the named one.',
      options: ['resume', 'continue'],
    },
  ];
}
