// The rows of the options about settings, plugins and skills.
import { isRecord } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import type { SandboxSettings } from '../../wire/protocol/config/sandbox-settings.js';
import type { Settings } from '../../wire/protocol/config/settings.js';
import type { Options } from '../options.js';
import {
  unlessEmpty,
  writeListArgument,
  type OptionRows,
  type WrittenArgument,
  type WrittenOptions,
} from './option-row.js';
import { either, fields, listOf, oneOf, record, anyText, texts } from '../../util/option-shapes.js';
import { allowSkills, findWrongSkill } from './tools-and-permissions.js';

const INLINE_SETTINGS = '2.1.152';

export const SETTINGS = {
  sandbox: {
    shape: record,
    forms: {
      'sandbox.failIfUnavailable': {
        since: '2.1.83',
        isUsed: (given, { settings }) => mergeSandbox(given, settings).sandbox?.failIfUnavailable === true,
      },
    },
    hint: 'With "failIfUnavailable: false", this CLI sandboxes commands where it can, and runs them without a sandbox elsewhere.',
    argv: { order: 370, write: (_sandbox, options) => writeSettings(options) },
  },
  settings: {
    shape: either(anyText, record),
    findProblem: (settings) => {
      if (typeof settings !== 'string' || !isInline(settings)) return undefined;
      try {
        parseInlineSettings(settings);
        return undefined;
      } catch (error) {
        return `is not a valid JSON object: ${messageOf(error)}.`;
      }
    },
    forms: { 'settings inline': { since: INLINE_SETTINGS, hasOlderForm: true } },
    argv: { order: 370, write: (_settings, options) => (options.sandbox ? [] : writeSettings(options)) },
  },
  managedSettings: { shape: record, since: '2.1.118', argv: { order: 350, flag: '--managed-settings' } },
  settingSources: {
    shape: texts,
    known: ['user', 'project', 'local'],
    // Unlike other lists, an empty one has a meaning: no settings files.
    argv: { order: 190, write: (sources) => [writeListArgument('--setting-sources', sources)] },
  },
  skills: {
    shape: either(texts, oneOf('all')),
    findProblem: (skills) => (skills === 'all' ? undefined : findWrongSkill(skills)),
    forms: { 'skills list': { since: '2.1.116', isUsed: (skills) => skills !== 'all' } },
    argv: {
      order: 150,
      flag: '--allowedTools',
      // If `allowedTools` is given, its row writes these rules after its own.
      from: (skills, { allowedTools }) => !allowedTools && allowSkills(skills),
    },
    initialize: { order: 100, from: (skills) => (skills === 'all' ? undefined : skills) },
  },
  plugins: {
    shape: listOf("a list of { type: 'local', path }", fields('', { type: oneOf('local'), path: anyText })),
    forms: {
      'plugins.skipMcpDiscovery': {
        since: '2.1.172',
        isUsed: (plugins) => plugins.some((plugin) => plugin.skipMcpDiscovery),
      },
    },
    argv: {
      order: 280,
      write: (plugins, { pluginDelivery }) =>
        (pluginDelivery === 'initialize' ? [] : plugins).map(
          ({ path, skipMcpDiscovery }) => `--plugin-dir${skipMcpDiscovery ? '-no-mcp' : ''}=${path}`,
        ),
    },
    initialize: {
      order: 160,
      from: (plugins, { pluginDelivery }) =>
        pluginDelivery === 'initialize' ? unlessEmpty(plugins) : undefined,
    },
  },
  pluginDelivery: {
    shape: oneOf('argv', 'initialize'),
    forms: { 'pluginDelivery initialize': { since: '2.1.261', older: () => undefined } },
    argv: {
      order: 280,
      flag: '--await-initialize',
      from: (delivery, { plugins }) => delivery === 'initialize' && !!plugins?.length,
    },
  },
} satisfies Partial<OptionRows>;

// Settings may hold secrets, so they go into a private file. Also, CLIs before 2.1.152 copied settings from the command
// line into a file that every user could read, and left it behind.
function writeSettings({ settings, sandbox }: WrittenOptions): WrittenArgument[] {
  const merged = sandbox ? mergeSandbox(sandbox, settings) : settings;
  const content = typeof merged === 'string' ? merged : JSON.stringify(merged);
  if (!content) return [];
  // A path that begins with a dash must not look like a flag.
  const word = content.startsWith('-') ? `./${content}` : content;
  return [
    { option: 'settings', words: ['--settings', word], overflow: 'file', isPrivate: isInline(content) },
  ];
}

function mergeSandbox(given: SandboxSettings, settings: Options['settings'] = {}): Settings {
  const base: Settings = typeof settings === 'string' ? parseInlineSettings(settings) : settings;
  const sandbox = { ...(isRecord(base.sandbox) ? base.sandbox : {}), ...given };
  // If a sandbox was requested and is not available, the CLI must fail.
  if (sandbox.enabled === true && sandbox.failIfUnavailable === undefined) sandbox.failIfUnavailable = true;
  return { ...base, sandbox };
}

/** Settings given as JSON. Throws for anything but a JSON object. */
function parseInlineSettings(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new TypeError('it is not an object');
  return value;
}

/** Whether settings are JSON and not the path of a file. */
export function isInline(settings: string): boolean {
  return settings.trimStart().startsWith('{');
}
