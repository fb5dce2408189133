// The CLI's command line: which flags say what the caller asked for, in the order and the spelling the
// official SDK uses. How long it may become is not decided here.
import { isGiven } from '../../util/guards.js';
import { isInProcess } from '../../wire/protocol/config/mcp-config.js';
import { buildFlagSettings } from '../rows/flag-settings.js';
import { hasFeature } from './option-versions.js';
import type { Options } from '../options.js';

/** A flag with its value, and the option it comes from. */
export interface CliArgument {
  option: string;
  /** One word of the command line each. */
  words: string[];
  /** What to do when it is too long: put the value into a file, repeat the flag, or leave it to the handshake. */
  overflow?: 'file' | 'repeat' | 'omit';
  /** Put the value into a file however short it is. */
  isPrivate?: boolean;
  /** What the one word joins with commas, for a flag that may be repeated. */
  items?: readonly string[];
}

/** What the command line is made from. */
export interface ArgumentsInput {
  /** Only options that were given, in a form this version takes. */
  options: Options;
  /** Undefined takes the newest form. */
  version: string | undefined;
  /** The session a store gave back. */
  restoredId?: string;
}

// A thinking budget above what any of its models takes makes a CLI without `--thinking` do what
// `--thinking=adaptive` does in later ones: adaptive where the model can, else all it may.
const WHOLE_THINKING_BUDGET = 31_999;

/** The flags for options that suit this version, in order. */
export function buildArguments(input: ArgumentsInput): CliArgument[] {
  const { options } = input;
  return [
    {
      option: 'protocol',
      words: ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
    },
    ...buildThinking(input),
    ...value('effort', '--effort', options.effort),
    ...value('maxTurns', '--max-turns', options.maxTurns || undefined),
    ...value('maxBudgetUsd', '--max-budget-usd', options.maxBudgetUsd),
    ...value('taskBudget', '--task-budget', options.taskBudget?.total),
    ...value('model', '--model', options.model),
    ...value('agent', '--agent', options.agent),
    // One flag each: the CLI takes a list with commas for the name of one beta, and drops it.
    ...(options.betas ?? []).flatMap((beta) => value('betas', '--betas', beta)),
    ...buildOutputFormat(options),
    ...buildDebug(options),
    ...value(
      'canUseTool',
      '--permission-prompt-tool',
      options.canUseTool ? 'stdio' : options.permissionPromptToolName,
    ),
    ...value('permissionPrompts', '--permission-prompts', options.permissionPrompts),
    ...buildResume(input),
    ...list('allowedTools', '--allowedTools', [...(options.allowedTools ?? []), ...allowSkills(options)]),
    ...list('disallowedTools', '--disallowedTools', options.disallowedTools ?? []),
    ...buildTools(options),
    ...buildServers(options),
    ...(options.settingSources
      ? [one('settingSources', `--setting-sources=${options.settingSources.join(',')}`)]
      : []),
    ...flag('strictMcpConfig', '--strict-mcp-config', options.strictMcpConfig),
    ...value('permissionMode', '--permission-mode', options.permissionMode),
    ...flag(
      'allowDangerouslySkipPermissions',
      '--allow-dangerously-skip-permissions',
      options.allowDangerouslySkipPermissions,
    ),
    ...value('fallbackModel', '--fallback-model', options.fallbackModel),
    ...flag('includeHookEvents', '--include-hook-events', options.includeHookEvents),
    ...flag('includePartialMessages', '--include-partial-messages', options.includePartialMessages),
    ...value('projectConfigRoot', '--project-config-root', options.projectConfigRoot),
    ...(options.additionalDirectories ?? []).map((folder) =>
      one('additionalDirectories', `--add-dir=${folder}`),
    ),
    ...buildPlugins(options),
    ...flag('forkSession', '--fork-session', options.forkSession),
    ...value('resumeSessionAt', '--resume-session-at', options.resumeSessionAt),
    ...value('resumeDropsTurn', '--resume-drops-turn', options.resumeDropsTurn),
    ...value('sessionId', '--session-id', options.sessionId),
    ...flag('persistSession', '--no-session-persistence', options.persistSession === false),
    ...flag('sessionStore', '--session-mirror', isGiven(options.sessionStore)),
    ...json('managedSettings', '--managed-settings', options.managedSettings),
    ...buildExtraArguments(options),
    ...buildSettings(input),
  ];
}

function one(option: string, word: string): CliArgument {
  return { option, words: [word] };
}

function value(option: string, name: string, given: string | number | undefined): CliArgument[] {
  return given === undefined || given === '' ? [] : [one(option, `${name}=${given}`)];
}

function flag(option: string, name: string, isSet: boolean | undefined): CliArgument[] {
  return isSet ? [one(option, name)] : [];
}

function list(option: string, name: string, items: readonly string[]): CliArgument[] {
  return items.length === 0 ? [] : [repeatable(option, name, items)];
}

function repeatable(option: string, name: string, items: readonly string[]): CliArgument {
  return { option, words: [`${name}=${items.join(',')}`], overflow: 'repeat', items };
}

function json(option: string, name: string, content: unknown): CliArgument[] {
  return isGiven(content) ? [{ option, words: [name, JSON.stringify(content)] }] : [];
}

function buildThinking({ options, version }: ArgumentsInput): CliArgument[] {
  const { thinking, maxThinkingTokens } = options;
  const budget = thinking
    ? thinking.type === 'enabled'
      ? thinking.budgetTokens
      : undefined
    : maxThinkingTokens;
  const display = thinking && thinking.type !== 'disabled' ? thinking.display : undefined;
  const option = thinking ? 'thinking' : 'maxThinkingTokens';
  return [...buildThinkingMode(), ...value('thinking', '--thinking-display', display)];

  function buildThinkingMode(): CliArgument[] {
    if (!thinking && maxThinkingTokens === undefined) return [];
    if (budget !== undefined && (thinking || budget > 0))
      return value(option, '--max-thinking-tokens', budget);
    const isOff = thinking ? thinking.type === 'disabled' : true;
    if (hasFeature('thinking', version)) return value(option, '--thinking', isOff ? 'disabled' : 'adaptive');
    return value(option, '--max-thinking-tokens', isOff ? 0 : WHOLE_THINKING_BUDGET);
  }
}

function buildOutputFormat({ outputFormat }: Options): CliArgument[] {
  if (!outputFormat) return [];
  return [
    { ...one('outputFormat', `--json-schema=${JSON.stringify(outputFormat.schema)}`), overflow: 'omit' },
  ];
}

function buildDebug({ debug, debugFile }: Options): CliArgument[] {
  return debugFile ? value('debugFile', '--debug-file', debugFile) : flag('debug', '--debug', debug);
}

// With a store, the latest session is the store's affair: the CLI's own must not be taken instead.
function buildResume({ options, restoredId }: ArgumentsInput): CliArgument[] {
  const isLocal = options.continue === true && !isGiven(options.sessionStore);
  return [
    ...flag('continue', '--continue', isLocal),
    ...value('resume', '--resume', restoredId ?? options.resume),
  ];
}

function allowSkills({ skills }: Options): string[] {
  return skills === 'all' ? ['Skill'] : (skills ?? []).map((name) => `Skill(${name})`);
}

function buildTools({ tools }: Options): CliArgument[] {
  if (!tools) return [];
  if (!Array.isArray(tools)) return [one('tools', '--tools=default')];
  return [repeatable('tools', '--tools', tools)];
}

function buildServers({ mcpServers, sdkServerRegistration }: Options): CliArgument[] {
  const servers = Object.entries(mcpServers ?? {});
  const outside = servers.filter(([, server]) => !isInProcess(server));
  const own = sdkServerRegistration === 'argv' ? servers.filter(([, server]) => isInProcess(server)) : [];
  if (outside.length + own.length === 0) return [];
  const content = JSON.stringify({
    mcpServers: {
      ...Object.fromEntries(outside),
      // Without a name the CLI has no tools of it, and says nothing.
      ...Object.fromEntries(own.map(([name, { timeout }]) => [name, { type: 'sdk', name, timeout }])),
    },
  });
  return [{ option: 'mcpServers', words: ['--mcp-config', content], overflow: 'file' }];
}

function buildPlugins({ plugins, pluginDelivery }: Options): CliArgument[] {
  if (!plugins?.length) return [];
  if (pluginDelivery === 'initialize') return [one('pluginDelivery', '--await-initialize')];
  return plugins.map(({ path, skipMcpDiscovery }) =>
    one('plugins', `--plugin-dir${skipMcpDiscovery ? '-no-mcp' : ''}=${path}`),
  );
}

function buildExtraArguments({ extraArgs }: Options): CliArgument[] {
  return Object.entries(extraArgs ?? {}).flatMap(([name, given]) => {
    if (given === undefined) return [];
    const words =
      given === null ? [`--${name}`] : given.startsWith('-') ? [`--${name}=${given}`] : [`--${name}`, given];
    return [{ option: `extraArgs.${name}`, words }];
  });
}

// Older CLIs copy settings from the command line into a file that everybody can read, and leave it behind.
function buildSettings({ options, version }: ArgumentsInput): CliArgument[] {
  const settings = buildFlagSettings(options);
  if (settings === undefined || settings === '') return [];
  const isPrivate = settings.trimStart().startsWith('{') && !hasFeature('settings inline', version);
  return [{ option: 'settings', words: ['--settings', settings], overflow: 'file', isPrivate }];
}
