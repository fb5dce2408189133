// Since which CLI each option, or form of an option, works. Found by running the CLIs between the oldest and
// the newest supported one; what is not listed works in all of them.
import { compareVersions } from '../process/cli-version.js';

/** The oldest CLI this package is tested with. */
export const OLDEST_VERSION = '2.1.33';

/** The newest CLI this package is tested with; later ones are spoken to in the same way. */
export const NEWEST_VERSION = '2.1.325';

/** By feature, the first version that has it. The names are those of the options, with the form where it matters. */
export const LEAST_VERSIONS = {
  thinking: '2.1.325',
  'thinking.display': '2.1.325',
  effort: '2.1.325',
  'effort xhigh': '2.1.325',
  'effort max': '2.1.325',
  taskBudget: '2.1.325',
  fallbackModel: '2.1.325',
  'fallbackModel list': '2.1.325',
  'systemPrompt list': '2.1.325',
  'systemPrompt.snapshot': '2.1.325',
  'systemPrompt.excludeDynamicSections': '2.1.325',
  title: '2.1.325',
  planModeInstructions: '2.1.325',
  verbatimPrompts: '2.1.248',
  toolAliases: '2.1.325',
  'toolConfig.askUserQuestion.previewFormat': '2.1.325',
  'permissionMode auto': '2.1.325',
  permissionPrompts: '2.1.325',
  projectConfigRoot: '2.1.325',
  supportedDialogKinds: '2.1.325',
  perTaskStopAffordance: '2.1.325',
  'mcpServers.timeout': '2.1.325',
  'mcpServers.alwaysLoad': '2.1.325',
  'mcpServers.tools': '2.1.325',
  'mcpServers.timeout in-process': '2.1.325',
  'mcpServers.tools in-process': '2.1.325',
  onElicitation: '2.1.325',
  'hooks onFailure': '2.1.325',
  includeHookEvents: '2.1.325',
  resumeDropsTurn: '2.1.325',
  sessionStore: '2.1.325',
  forwardSubagentText: '2.1.325',
  promptSuggestions: '2.1.325',
  agentProgressSummaries: '2.1.325',
  'sandbox.failIfUnavailable': '2.1.325',
  managedSettings: '2.1.325',
  'skills list': '2.1.325',
  'plugins.skipMcpDiscovery': '2.1.325',
  'pluginDelivery initialize': '2.1.261',
  'agents.model by full name': '2.1.325',
  'agents.effort': '2.1.325',
  'agents.background': '2.1.325',
  'agents.memory': '2.1.325',
  'agents.initialPrompt': '2.1.325',
  'agents.omitClaudeMd': '2.1.325',
  'agents.autoCompactWindow': '2.1.325',
  'agents.observer': '2.1.325',
  'agents.observerMessage': '2.1.325',
  'agents.criticalSystemReminder_EXPERIMENTAL': '2.1.325',
} as const;

/** Hook events that not all supported CLIs have, and the first that does. */
export const EVENT_VERSIONS: Readonly<Record<string, string>> = {
  PostToolBatch: '2.1.325',
  UserPromptExpansion: '2.1.325',
  StopFailure: '2.1.325',
  PostCompact: '2.1.325',
  PermissionDenied: '2.1.325',
  PreModelSwitch: '2.1.325',
  PostModelSwitch: '2.1.325',
  TaskCreated: '2.1.325',
  Elicitation: '2.1.325',
  ElicitationResult: '2.1.325',
  ConfigChange: '2.1.325',
  WorktreeCreate: '2.1.325',
  WorktreeRemove: '2.1.325',
  InstructionsLoaded: '2.1.325',
  CwdChanged: '2.1.325',
  FileChanged: '2.1.325',
  DirectoryAdded: '2.1.325',
  MessageDisplay: '2.1.325',
};

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
