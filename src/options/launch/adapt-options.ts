// Says the same to an older CLI: leaves out what only states how that CLI behaves anyway, and takes the
// other way where there are two. What cannot be said there is refused, never dropped.
import { UnsupportedOptionError } from '../../errors.js';
import { compareVersions } from '../../wire/process/find/cli-version.js';
import { hasFeature, reaches, type Feature } from './option-versions.js';
import type { Options } from '../options.js';
import { findDemands } from './version-demands.js';

// Switches that CLIs without them do not have on.
const OFF_BY_NATURE = [
  'promptSuggestions',
  'agentProgressSummaries',
  'forwardSubagentText',
  'perTaskStopAffordance',
] as const satisfies ReadonlyArray<Feature & keyof Options>;

// What else can be done, where there is something.
const HINTS: Readonly<Record<string, string>> = {
  'sandbox.failIfUnavailable':
    'With "failIfUnavailable: false" this CLI confines commands where it can, and elsewhere runs them unconfined.',
  permissionPrompts: 'The permission mode "dontAsk" refuses what would be asked, too.',
};

/** The options in a form this version takes; throws `UnsupportedOptionError` for the first that has none. */
export function adaptOptions(options: Options, version: string | undefined): Options {
  const adapted = useOlderForms(options, version);
  const unmet = findDemands(adapted).filter(({ needed }) => !reaches(version, needed));
  const [first] = unmet;
  if (!first) return adapted;
  const { option } = first;
  const needed = unmet.filter((demand) => demand.option === option).map((demand) => demand.needed);
  const newest = needed.toSorted(compareVersions).at(-1) ?? first.needed;
  throw new UnsupportedOptionError(option, String(version), newest, HINTS[option]);
}

function useOlderForms(options: Options, version: string | undefined): Options {
  const adapted = { ...options };
  const lacks = (feature: Feature): boolean => !hasFeature(feature, version);
  for (const name of OFF_BY_NATURE) if (lacks(name) && !adapted[name]) delete adapted[name];
  if (lacks('permissionPrompts') && adapted.permissionPrompts === 'host') delete adapted.permissionPrompts;
  if (lacks('supportedDialogKinds') && !adapted.supportedDialogKinds?.length)
    delete adapted.supportedDialogKinds;
  if (lacks('toolAliases') && isEmpty(adapted.toolAliases)) delete adapted.toolAliases;
  if (lacks('pluginDelivery initialize')) delete adapted.pluginDelivery;
  if (typeof adapted.systemPrompt === 'object' && !Array.isArray(adapted.systemPrompt)) {
    const prompt: Record<string, unknown> & typeof adapted.systemPrompt = { ...adapted.systemPrompt };
    if (lacks('systemPrompt.snapshot') && !prompt.snapshot) delete prompt.snapshot;
    if (lacks('systemPrompt.excludeDynamicSections') && !prompt['excludeDynamicSections']) {
      delete prompt['excludeDynamicSections'];
    }
    adapted.systemPrompt = prompt;
  }
  return adapted;
}

function isEmpty(entries: object | undefined): boolean {
  return !entries || Object.keys(entries).length === 0;
}
