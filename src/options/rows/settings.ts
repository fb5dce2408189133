// The rows of the options about settings, plugins and skills.
import { isGiven, isRecord } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import { reaches } from '../supported-versions.js';
import type { Options } from '../options.js';
import type { OptionRows, WriteContext, WrittenArgument } from './option-row.js';
import { either, fields, listOf, oneOf, record, text, texts } from './shapes.js';
import { allowSkills } from './tools-and-permissions.js';

const INLINE_SETTINGS = '2.1.152';

export const SETTINGS = {
  sandbox: {
    shape: record,
    forms: {
      'sandbox.failIfUnavailable': {
        since: '2.1.83',
        isUsed: (sandbox, { settings }) => demandsSandbox({ settings, sandbox }),
      },
    },
    hint: 'With "failIfUnavailable: false" this CLI confines commands where it can, and elsewhere runs them unconfined.',
    argv: { order: 370, write: (_sandbox, context) => writeSettings(context) },
  },
  settings: {
    shape: either(text, record),
    findProblem: (settings) => {
      if (typeof settings !== 'string' || !isInline(settings)) return undefined;
      try {
        parseInlineSettings(settings);
        return undefined;
      } catch (error) {
        return `is no valid JSON object: ${messageOf(error)}.`;
      }
    },
    forms: { 'settings inline': { since: INLINE_SETTINGS, hasOlderForm: true } },
    argv: {
      order: 370,
      write: (_settings, context) => (context.options.sandbox ? [] : writeSettings(context)),
    },
  },
  managedSettings: { shape: record, since: '2.1.118', argv: { order: 350, flag: '--managed-settings' } },
  settingSources: {
    shape: texts,
    known: ['user', 'project', 'local'],
    // Unlike other lists, an empty one says something: no settings files.
    argv: { order: 190, write: (sources) => [`--setting-sources=${sources.join(',')}`] },
  },
  skills: {
    shape: either(texts, oneOf('all')),
    forms: { 'skills list': { since: '2.1.116', isUsed: (skills) => skills !== 'all' } },
    argv: {
      order: 150,
      flag: '--allowedTools',
      // With `allowedTools`, they stand behind its rules.
      from: (skills, { options }) => (options.allowedTools ? [] : allowSkills(skills)),
    },
    initialize: { order: 100, from: (skills) => (skills === 'all' ? undefined : skills) },
  },
  plugins: {
    shape: listOf("a list of { type: 'local', path }", fields('', { type: oneOf('local'), path: text })),
    forms: {
      'plugins.skipMcpDiscovery': {
        since: '2.1.172',
        isUsed: (plugins) => plugins.some((plugin) => plugin.skipMcpDiscovery),
      },
    },
    argv: {
      order: 280,
      write: (plugins, { options }) =>
        options.pluginDelivery === 'initialize'
          ? []
          : plugins.map(
              ({ path, skipMcpDiscovery }) => `--plugin-dir${skipMcpDiscovery ? '-no-mcp' : ''}=${path}`,
            ),
    },
    initialize: {
      order: 160,
      from: (plugins, { options }) =>
        options.pluginDelivery === 'initialize' && plugins.length > 0 ? plugins : undefined,
    },
  },
  pluginDelivery: {
    shape: oneOf('argv', 'initialize'),
    forms: {
      'pluginDelivery initialize': {
        since: '2.1.261',
        isUsed: (delivery) => delivery === 'initialize',
        older: () => undefined,
      },
    },
    argv: {
      order: 280,
      flag: '--await-initialize',
      from: (delivery, { options }) => delivery === 'initialize' && !!options.plugins?.length,
    },
  },
} satisfies Partial<OptionRows>;

// Older CLIs copy settings from the command line into a file that everybody can read, and leave it behind.
function writeSettings({ options, version }: WriteContext): WrittenArgument[] {
  const settings = buildFlagSettings(options);
  if (settings === undefined || settings === '') return [];
  const isPrivate = isInline(settings) && !reaches(version, INLINE_SETTINGS);
  return [{ option: 'settings', words: ['--settings', settings], overflow: 'file', isPrivate }];
}

/** The value of `--settings`; undefined when neither `settings` nor `sandbox` was given. */
function buildFlagSettings({ settings, sandbox }: Options): string | undefined {
  if (!isGiven(sandbox))
    return typeof settings === 'string' || !settings ? settings : JSON.stringify(settings);
  const base = typeof settings === 'string' ? parseInlineSettings(settings) : (settings ?? {});
  const inherited = isRecord(base['sandbox']) ? base['sandbox'] : {};
  const merged: Record<string, unknown> = { ...inherited, ...sandbox };
  // A sandbox that was asked for and is not there must not go unnoticed.
  if (merged['enabled'] === true && merged['failIfUnavailable'] === undefined)
    merged['failIfUnavailable'] = true;
  return JSON.stringify({ ...base, sandbox: merged });
}

/** Whether the CLI is asked to refuse to run without a sandbox. */
function demandsSandbox({ settings, sandbox }: Options): boolean {
  if (!isGiven(sandbox)) return false;
  const merged: unknown = JSON.parse(buildFlagSettings({ settings, sandbox }) ?? '{}');
  return isRecord(merged) && isRecord(merged['sandbox']) && merged['sandbox']['failIfUnavailable'] === true;
}

/** Settings given as JSON; throws when it is none, or no object. */
function parseInlineSettings(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new TypeError('it is not an object');
  return value;
}

/** Whether settings are JSON and not the path of a file. */
export function isInline(settings: string): boolean {
  return settings.trimStart().startsWith('{');
}
