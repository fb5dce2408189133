// What each setting must be, and what an unusable value costs: the whole file or the setting alone. Observed on the
// settings of CLI 2.1.325. Settings that are not here, and parts below the first level that are not, pass unchecked.
import { readHooks } from './read-hooks.js';
import { readPermissions } from './read-permissions.js';
import {
  readChoice,
  readEither,
  readFields,
  readFlag,
  readNullableFlag,
  readNullableText,
  readOnlyRecords,
  readRecord,
  readRecords,
  readShare,
  readText,
  readTexts,
  readValues,
  readWholeNumber,
  type Reader,
} from './setting-readers.js';

/** How one setting is read. */
export interface SettingRule {
  read: Reader;
  /** Completes "must be …". */
  expected: string;
  costs: 'file' | 'key';
}

const SANDBOX_FLAGS =
  'enabled failIfUnavailable autoAllowBashIfSandboxed allowUnsandboxedCommands enableWeakerNestedSandbox ' +
  'enableWeakerNetworkIsolation allowAppleEvents allowNestedUserNamespaces';
const NETWORK_FLAGS = 'allowManagedDomainsOnly strictAllowlist allowAllUnixSockets allowLocalBinding';

const readSandbox = readFields({
  ...each(SANDBOX_FLAGS, readFlag),
  excludedCommands: readTexts,
  network: readFields({
    ...each(NETWORK_FLAGS, readFlag),
    ...each('allowedDomains deniedDomains', readTexts),
  }),
  filesystem: readFields({
    ...each('allowManagedReadPathsOnly disabled', readFlag),
    ...each('allowRead denyRead allowWrite denyWrite', readTexts),
  }),
});

const readServers = readOnlyRecords((item) => {
  const { serverName } = item;
  if (serverName !== undefined) return typeof serverName === 'string' && /^[\w-]+$/.test(serverName);
  return item['serverCommand'] !== undefined || item['serverUrl'] !== undefined;
});

/** Another spelling: a single text stands for a list of it. */
const readServerNames: Reader = (value, note) => {
  if (typeof value === 'string' && /^[\w-]+$/.test(value)) return [value];
  return readTexts(value, note);
};

/** `true` asks for the usual attribution, `false` for none. */
const readAttribution: Reader = (value, note) => {
  if (value === true) return {};
  if (value === false) return { commit: '', pr: '', sessionUrl: false };
  return readRecord(value, note);
};

const FILE_RULES: readonly [names: string, expected: string, read: Reader][] = [
  [
    '$schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh ' +
      'awsCredentialExport claudeMd gcpAuthRefresh language minimumVersion model otelHeadersHelper outputStyle ' +
      'plansDirectory pluginTrustMessage prUrlTemplate processWrapper proxyAuthHelper requiredMaximumVersion ' +
      'requiredMinimumVersion timeFormat timeZone autoUpdatesChannel daemonColdStart defaultShell defaultView tui ' +
      'workflowSizeGuideline',
    'a text',
    readText,
  ],
  [
    'disableAutoMode disableDeepLinkRegistration',
    'disable',
    (value, note) => (value === null ? undefined : readChoice('disable')(value, note)),
  ],
  ['feedbackDrafts', 'a text', readNullableText],
  [
    'agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp alwaysThinkingEnabled ' +
      'autoCompactEnabled autoDreamEnabled autoMemoryEnabled autoScrollEnabled bashEditDiffEnabled disableAllHooks ' +
      'disableReplyCheck emojiCompletionEnabled fastMode fileCheckpointingEnabled forceRemoteSettingsRefresh ' +
      'idleCompaction includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled precomputeCompactionEnabled ' +
      'prefersReducedMotion promptSuggestionEnabled respectGitignore respondToBashCommands ' +
      'showClearContextOnPlanAccept showMessageTimestamps showThinkingSummaries showTurnDuration spinnerTipsEnabled ' +
      'switchModelsOnFlag syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename ' +
      'todoFeatureEnabled verbose voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled ' +
      'wslInheritsWindowsSettings',
    'true or false',
    readFlag,
  ],
  [
    'allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly autoContinueAtUsageLimit ' +
      'autoUploadSessions channelsEnabled disableAgentView disableArtifact disableBundledSkills ' +
      'disableClaudeAiConnectors disableCommandPluginSources disableRemoteControl disableSideloadFlags ' +
      'disableSkillShellExecution disableWindowsBashCommandSplit disableWorkflows enableAllProjectMcpServers ' +
      'enableArtifact enableWorkflows enforceAvailableModels fastModePerSessionOptIn isolatePeerMachines ' +
      'remoteControlAtStartup skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight ' +
      'syncClaudeAiPlugins syncClaudeAiSkills useAutoModeDuringPlan',
    'true or false',
    readNullableFlag,
  ],
  [
    'allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements fallbackModel ' +
      'httpHookAllowedEnvVars pluginSuggestionMarketplaces',
    'a list of texts',
    readTexts,
  ],
  ['enabledMcpjsonServers disabledMcpjsonServers', 'a list of server names', readServerNames],
  ['forceLoginOrgUUID', 'a text or a list of texts', readEither(readText, readTexts)],
  ['allowedChannelPlugins sshConfigs', 'a list of objects', readRecords],
  [
    'blockedMarketplaces strictKnownMarketplaces',
    'a list of objects',
    (value, note) => (value === null ? undefined : readRecords(value, note)),
  ],
  [
    'autoMode remote voice worktree pluginConfigs skillOverrides statusLine fileSuggestion spinnerVerbs',
    'an object',
    readRecord,
  ],
  ['env', 'an object', readValues((value) => String(value))],
  ['modelOverrides', 'an object of texts', readValues(readText)],
  [
    'enabledPlugins',
    'an object of true, false or lists of texts',
    readValues(readEither(readFlag, readTexts)),
  ],
  ['attribution', 'an object, true or false', readAttribution],
  ['permissions', 'an object with lists of rules and a known defaultMode', readPermissions],
  ['hooks', 'usable on the events that guard tool calls', readHooks],
  ['sandbox', 'an object whose switches are true or false and whose lists are lists', readSandbox],
  ['cleanupPeriodDays skillListingMaxDescChars', 'a whole number from 1 on', readWholeNumber(1)],
  ['desktopSessionCleanupPeriodDays', 'a whole number', readWholeNumber(0)],
  ['feedbackSurveyRate', 'a number from 0 to 1', readShare(true)],
  ['skillListingBudgetFraction', 'a number up to 1', readShare(false)],
  ['parentSettingsBehavior managedSourcesBehavior', 'merge or first-wins', readChoice('merge', 'first-wins')],
];

const KEY_RULES: readonly [names: string, expected: string, read: Reader][] = [
  ['appendPlugins prependPlugins allowedProviders', 'a list of texts', readTexts],
  ['allowedMcpServers deniedMcpServers', 'a list of servers', readServers],
  ['footerLinksRegexes', 'a list of objects', readOnlyRecords()],
  ['bashOutputMaxChars taskOutputMaxChars', 'a whole number from 1 on', readWholeNumber(1)],
  ['effortLevel', 'low, medium, high or xhigh', readChoice('low', 'medium', 'high', 'xhigh')],
  ['ultracode', 'true or false', readFlag],
  [
    'extraKnownMarketplaces modelPricing modelSettings spellcheck spinnerTipsOverride vimInsertModeRemaps',
    'an object',
    readRecord,
  ],
  [
    'strictPluginOnlyCustomization',
    'true, false or a list',
    (value, note) => (Array.isArray(value) ? value : readFlag(value, note)),
  ],
  ['forceLoginGatewayUrl', 'a text', (value, note) => readText(value === '' ? undefined : value, note)],
];

/** The rules by setting. */
export const SETTINGS_TABLE: ReadonlyMap<string, SettingRule> = new Map([
  ...writeRules(FILE_RULES, 'file'),
  ...writeRules(KEY_RULES, 'key'),
]);

function writeRules(
  rules: readonly [names: string, expected: string, read: Reader][],
  costs: 'file' | 'key',
): [string, SettingRule][] {
  return rules.flatMap(([names, expected, read]) =>
    names.split(' ').map((name): [string, SettingRule] => [name, { read, expected, costs }]),
  );
}

function each(names: string, read: Reader): Record<string, Reader> {
  return Object.fromEntries(names.split(' ').map((name) => [name, read]));
}
