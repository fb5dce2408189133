// What is allowed and yet probably not meant: names nobody knows, options without effect, a permission
// callback that will not be asked.
import { findHookWarnings } from '../../answer/hooks/hook-warnings.js';
import { HOOK_EVENTS } from '../../wire/protocol/hooks/hook-callback.js';
import { findNearestName } from '../../util/nearest-name.js';
import { isGiven } from '../../util/guards.js';
import { OPTION_SHAPES } from '../rows/option-shapes.js';
import type { Options } from '../options.js';
import type { InboardWarning } from './warning.js';

// Names from other versions and from other SDKs which no spelling distance leads to.
const FORMER_NAMES = new Map([
  ['customSystemPrompt', '"systemPrompt"'],
  ['appendSystemPrompt', "\"systemPrompt\" with { type: 'preset', preset: 'claude_code', append }"],
  ['mcpConfig', '"mcpServers"'],
  ['signal', '"abortController"'],
]);

// Values the CLI decides about: a newer one may know more of them.
const KNOWN_VALUES: Partial<Record<keyof Options, readonly string[]>> = {
  permissionMode: [
    'default',
    'acceptEdits',
    'bypassPermissions',
    'plan',
    'dontAsk',
    'auto',
    'manual',
    'delegate',
  ],
  permissionPrompts: ['host', 'none'],
  effort: ['low', 'medium', 'high', 'xhigh', 'max'],
  settingSources: ['user', 'project', 'local'],
};

/** Everything doubtful about options whose types are right. */
export function findDoubts(options: Options): InboardWarning[] {
  return [
    ...findUnknownNames(options),
    ...findUnknownValues(options),
    ...findUnknownEvents(options),
    ...findHookWarnings(options.hooks).map((doubt) => ({ ...doubt, options: ['hooks'] })),
    ...findShadowedCallback(options),
    ...findIgnored(options),
  ];
}

function findUnknownNames(options: Options): InboardWarning[] {
  const unknown = Object.entries(options).filter(
    ([name, value]) => !(name in OPTION_SHAPES) && isGiven(value),
  );
  return unknown.map(([name]) => {
    const nearest = findNearestName(name, Object.keys(OPTION_SHAPES));
    const meant = FORMER_NAMES.get(name) ?? (nearest && `"${nearest}"`);
    return {
      code: 'UNKNOWN_OPTION',
      message: `There is no option "${name}"; it has no effect.${meant ? ` Did you mean ${meant}?` : ''}`,
      options: [name],
    };
  });
}

function findUnknownValues(options: Options): InboardWarning[] {
  return Object.entries(KNOWN_VALUES).flatMap(([name, known]) => {
    const given = options[name as keyof Options];
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
          options: [name],
        };
      });
  });
}

function findUnknownEvents({ hooks }: Options): InboardWarning[] {
  const known: readonly string[] = HOOK_EVENTS;
  const unknown = Object.keys(hooks ?? {}).filter((event) => !known.includes(event));
  return unknown.map((event) => {
    const nearest = findNearestName(event, known);
    return {
      code: 'UNKNOWN_HOOK_EVENT',
      message:
        `The option "hooks" names the event "${event}", which is not known here and may never come.` +
        (nearest ? ` Did you mean "${nearest}"?` : ''),
      options: ['hooks'],
    };
  });
}

function findShadowedCallback(options: Options): InboardWarning[] {
  if (!isGiven(options.canUseTool)) return [];
  const warn = (by: string, message: string): InboardWarning[] => [
    { code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED', message, options: ['canUseTool', by] },
  ];
  if (options.permissionMode === 'bypassPermissions') {
    return warn(
      'permissionMode',
      'The callback "canUseTool" is not asked while "permissionMode" is "bypassPermissions".',
    );
  }
  if (options.permissionPrompts === 'none') {
    return warn(
      'permissionPrompts',
      'The callback "canUseTool" is not asked while "permissionPrompts" is "none".',
    );
  }
  const whole = (options.allowedTools ?? []).filter((rule) => !rule.includes('('));
  if (whole.length === 0) return [];
  return warn(
    'allowedTools',
    `The callback "canUseTool" is not asked about ${whole.join(', ')}: "allowedTools" runs them without asking. ` +
      'Take out the tools it should decide about.',
  );
}

function findIgnored(options: Options): InboardWarning[] {
  const found: InboardWarning[] = [];
  const ignore = (names: string[], message: string) =>
    found.push({ code: 'OPTION_IGNORED', message, options: names });
  if (options.resume && options.continue) {
    ignore(
      ['resume', 'continue'],
      'The option "continue" wins over "resume": the CLI goes on with its latest session, not the named one.',
    );
  }
  if (options.maxTurns === 0) ignore(['maxTurns'], 'The option "maxTurns" is 0, which means no limit.');
  return found;
}
