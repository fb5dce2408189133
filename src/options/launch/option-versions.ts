// Since which CLI each option, or form of an option, works. Found by running the CLIs between the oldest and
// the newest supported one; what is not listed works in all of them.
import { compareVersions } from '../../wire/process/find/cli-version.js';

/** The oldest CLI this package is tested with. */
export const OLDEST_VERSION = '2.1.33';

/** The newest CLI this package is tested with; later ones are spoken to in the same way. */
export const NEWEST_VERSION = '2.1.325';

/**
 * By feature, the first version that has it. The names are those of the options, with the form where it matters.
 * What carries the newest version is there too, and could not be shown to work in an older one.
 */
export const LEAST_VERSIONS = {
  thinking: '2.1.47',
  'thinking.display': '2.1.94',
  effort: '2.1.38',
  'effort xhigh': '2.1.111',
  taskBudget: '2.1.84',
  fallbackModel: '2.1.75',
  'fallbackModel besides Opus': '2.1.160',
  'fallbackModel list': '2.1.160',
  'systemPrompt list': '2.1.110',
  'systemPrompt.snapshot': '2.1.257',
  'systemPrompt.excludeDynamicSections': '2.1.97',
  title: '2.1.113',
  planModeInstructions: '2.1.118',
  verbatimPrompts: '2.1.248',
  toolAliases: '2.1.142',
  'toolConfig.askUserQuestion.previewFormat': '2.1.69',
  'permissionMode auto': '2.1.71',
  permissionPrompts: '2.1.259',
  projectConfigRoot: '2.1.275',
  supportedDialogKinds: '2.1.268',
  perTaskStopAffordance: '2.1.325',
  'mcpServers.timeout': '2.1.147',
  'mcpServers.alwaysLoad': '2.1.121',
  'mcpServers.tools': '2.1.325',
  'mcpServers.timeout in-process': '2.1.248',
  'mcpServers.tools in-process': '2.1.302',
  onElicitation: '2.1.84',
  'hooks onFailure': '2.1.317',
  includeHookEvents: '2.1.88',
  resumeDropsTurn: '2.1.223',
  sessionStore: '2.1.97',
  forwardSubagentText: '2.1.119',
  promptSuggestions: '2.1.48',
  agentProgressSummaries: '2.1.72',
  'sandbox.failIfUnavailable': '2.1.83',
  'settings inline': '2.1.152',
  managedSettings: '2.1.118',
  'skills list': '2.1.116',
  'plugins.skipMcpDiscovery': '2.1.172',
  'pluginDelivery initialize': '2.1.261',
  'agents.model by full name': '2.1.74',
  'agents.effort': '2.1.219',
  'agents.background': '2.1.47',
  'agents.memory': '2.1.59',
  'agents.initialPrompt': '2.1.83',
  'agents.omitClaudeMd': '2.1.302',
  'agents.autoCompactWindow': '2.1.325',
  'agents.observer': '2.1.325',
  'agents.observerMessage': '2.1.325',
  'agents.criticalSystemReminder_EXPERIMENTAL': '2.1.325',
} as const;

/** Something that came after the oldest supported version. */
export type Feature = keyof typeof LEAST_VERSIONS;

/** Whether a CLI has a feature; one of unknown version is taken to have them all. */
export function hasFeature(feature: Feature, version: string | undefined): boolean {
  return reaches(version, LEAST_VERSIONS[feature]);
}

/** Whether a version is at least the needed one; an unknown one is. */
export function reaches(version: string | undefined, needed: string): boolean {
  return version === undefined || compareVersions(version, needed) >= 0;
}
