// What the given options demand of a CLI: for each feature, the options that use it.
import type { AgentDefinition } from '../../wire/protocol/config/agent-definition.js';
import { isInProcess } from '../../wire/protocol/config/mcp-config.js';
import { demandsSandbox } from '../rows/flag-settings.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { LEAST_VERSIONS, type Feature } from './option-versions.js';
import type { Options } from '../options.js';

/** An option, by its path, and the version it needs. */
export interface Demand {
  option: string;
  needed: string;
}

type Finder = (options: Options) => string[];

// The names of models that every supported CLI knows.
const MODEL_ALIASES = ['sonnet', 'opus', 'haiku', 'inherit'];

// These are missing here because there is an older form for all their uses: `--max-thinking-tokens` for
// `thinking`, one prompt for a list of them, a file for settings, the command line for plugins.
const FINDERS: Record<
  Exclude<Feature, 'thinking' | 'systemPrompt list' | 'settings inline' | 'pluginDelivery initialize'>,
  Finder
> = {
  'thinking.display': ({ thinking }) =>
    when('thinking.display', thinking && 'display' in thinking && thinking.display),
  effort: ({ effort }) => when('effort', effort),
  'effort xhigh': ({ effort }) => when('effort', effort === 'xhigh'),
  taskBudget: ({ taskBudget }) => when('taskBudget', taskBudget),
  fallbackModel: ({ fallbackModel }) => when('fallbackModel', fallbackModel),
  // Before, the CLI only ever gave up on Opus; with another model, or its own choice of one, the fallback had no effect.
  'fallbackModel besides Opus': ({ model, fallbackModel }) =>
    when('fallbackModel', fallbackModel && !/opus/i.test(model ?? '')),
  'fallbackModel list': ({ fallbackModel }) => when('fallbackModel', fallbackModel?.includes(',')),
  'systemPrompt.snapshot': ({ systemPrompt }) =>
    when(
      'systemPrompt.snapshot',
      typeof systemPrompt === 'object' && 'snapshot' in systemPrompt && systemPrompt.snapshot,
    ),
  'systemPrompt.excludeDynamicSections': ({ systemPrompt }) =>
    when(
      'systemPrompt.excludeDynamicSections',
      typeof systemPrompt === 'object' &&
        'excludeDynamicSections' in systemPrompt &&
        systemPrompt.excludeDynamicSections,
    ),
  title: ({ title }) => when('title', title),
  planModeInstructions: ({ planModeInstructions }) => when('planModeInstructions', planModeInstructions),
  verbatimPrompts: ({ verbatimPrompts }) => when('verbatimPrompts', verbatimPrompts),
  toolAliases: ({ toolAliases }) => when('toolAliases', toolAliases),
  'toolConfig.askUserQuestion.previewFormat': ({ toolConfig }) =>
    when('toolConfig.askUserQuestion.previewFormat', toolConfig?.askUserQuestion?.previewFormat),
  'permissionMode auto': (options) => [
    ...when('permissionMode', options.permissionMode === 'auto'),
    ...agentsWith(options, 'permissionMode', (agent) => agent.permissionMode === 'auto'),
  ],
  permissionPrompts: ({ permissionPrompts }) => when('permissionPrompts', permissionPrompts),
  projectConfigRoot: ({ projectConfigRoot }) => when('projectConfigRoot', projectConfigRoot),
  supportedDialogKinds: ({ supportedDialogKinds }) => when('supportedDialogKinds', supportedDialogKinds),
  perTaskStopAffordance: ({ perTaskStopAffordance }) => when('perTaskStopAffordance', perTaskStopAffordance),
  'mcpServers.timeout': (options) => serversWith(options, { field: 'timeout', inProcess: false }),
  'mcpServers.alwaysLoad': (options) => serversWith(options, { field: 'alwaysLoad', inProcess: false }),
  'mcpServers.tools': (options) => serversWith(options, { field: 'tools', inProcess: false }),
  'mcpServers.timeout in-process': (options) => serversWith(options, { field: 'timeout', inProcess: true }),
  'mcpServers.tools in-process': (options) => serversWith(options, { field: 'tools', inProcess: true }),
  onElicitation: ({ onElicitation }) => when('onElicitation', onElicitation),
  'hooks onFailure': ({ hooks }) =>
    Object.entries(hooks ?? {})
      .filter(([, matchers]) => matchers?.some((matcher) => matcher.onFailure === 'block'))
      .map(([event]) => `hooks.${event}.onFailure`),
  includeHookEvents: ({ includeHookEvents }) => when('includeHookEvents', includeHookEvents),
  resumeDropsTurn: ({ resumeDropsTurn }) => when('resumeDropsTurn', resumeDropsTurn),
  sessionStore: ({ sessionStore }) => when('sessionStore', sessionStore),
  forwardSubagentText: ({ forwardSubagentText }) => when('forwardSubagentText', forwardSubagentText),
  promptSuggestions: ({ promptSuggestions }) => when('promptSuggestions', promptSuggestions),
  agentProgressSummaries: ({ agentProgressSummaries }) =>
    when('agentProgressSummaries', agentProgressSummaries),
  'sandbox.failIfUnavailable': (options) => when('sandbox.failIfUnavailable', demandsSandbox(options)),
  managedSettings: ({ managedSettings }) => when('managedSettings', managedSettings),
  'skills list': ({ skills }) => when('skills', skills && skills !== 'all'),
  'plugins.skipMcpDiscovery': ({ plugins }) =>
    when(
      'plugins.skipMcpDiscovery',
      plugins?.some((plugin) => plugin.skipMcpDiscovery),
    ),
  'agents.model by full name': (options) =>
    agentsWith(options, 'model', ({ model }) => !!model && !MODEL_ALIASES.includes(model)),
  'agents.effort': (options) => agentsWith(options, 'effort'),
  'agents.background': (options) => agentsWith(options, 'background'),
  'agents.memory': (options) => agentsWith(options, 'memory'),
  'agents.initialPrompt': (options) => agentsWith(options, 'initialPrompt'),
  'agents.omitClaudeMd': (options) => agentsWith(options, 'omitClaudeMd'),
  'agents.autoCompactWindow': (options) => agentsWith(options, 'autoCompactWindow'),
  'agents.observer': (options) => agentsWith(options, 'observer'),
  'agents.observerMessage': (options) => agentsWith(options, 'observerMessage'),
  'agents.criticalSystemReminder_EXPERIMENTAL': (options) =>
    agentsWith(options, 'criticalSystemReminder_EXPERIMENTAL'),
};

/** All that the options demand, in no particular order; options every supported CLI takes demand nothing. */
export function findDemands(options: Options): Demand[] {
  const ofFeatures = Object.entries(FINDERS).flatMap(([feature, find]) =>
    find(options).map((option) => ({ option, needed: LEAST_VERSIONS[feature as Feature] })),
  );
  const ofEvents = Object.keys(options.hooks ?? {}).flatMap((event) => {
    const needed = findHookEvent(event)?.since;
    return needed === undefined ? [] : [{ option: `hooks.${event}`, needed }];
  });
  return [...ofFeatures, ...ofEvents];
}

function when(option: string, isUsed: unknown): string[] {
  return isUsed ? [option] : [];
}

function agentsWith(
  { agents = {} }: Options,
  field: keyof AgentDefinition,
  isUsed: (agent: AgentDefinition) => boolean = (agent) => !!agent[field],
): string[] {
  return Object.entries(agents)
    .filter(([, agent]) => isUsed(agent))
    .map(([name]) => `agents.${name}.${field}`);
}

function serversWith({ mcpServers = {} }: Options, wanted: { field: string; inProcess: boolean }): string[] {
  return Object.entries(mcpServers)
    .filter(([, server]) => isInProcess(server) === wanted.inProcess && isSet(server, wanted.field))
    .map(([name]) => `mcpServers.${name}.${wanted.field}`);
}

function isSet(server: object, field: string): boolean {
  return !!(server as Record<string, unknown>)[field];
}
