import { describe, expect, it } from 'vitest';
import { UnsupportedOptionError } from '../../../src/errors.js';
import { adaptOptions, findDemands } from '../../../src/options/launch/adapt-options.js';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../../src/options/supported-versions.js';
import { LEAST_VERSIONS, hasFeature } from '../least-versions.js';
import type { Options } from '../../../src/options/options.js';
import { EVENT_VERSIONS } from '../event-versions.js';
import { compareVersions } from '../../../src/wire/process/find/compare-versions.js';
import { HOOK_EVENTS } from '../../../src/wire/protocol/hooks/hook-callback.js';

const instance = { connect: () => Promise.resolve() };
const nothing = (): Promise<null> => Promise.resolve(null);
const agent = (more: object): Options => ({ agents: { rev: { description: 'd', prompt: 'p', ...more } } });
const server = (more: object): Options => ({ mcpServers: { s: { command: 'c', ...more } } });
const inProcess = (more: object): Options => ({
  mcpServers: { s: { type: 'sdk', name: 's', instance, ...more } },
});

// One use of every feature, and the option it is blamed on.
const USES: Record<string, [Options, string]> = {
  'thinking.display': [{ thinking: { type: 'adaptive', display: 'omitted' } }, 'thinking.display'],
  effort: [{ effort: 'low' }, 'effort'],
  'effort xhigh': [{ effort: 'xhigh' }, 'effort'],
  taskBudget: [{ taskBudget: { total: 1 } }, 'taskBudget'],
  fallbackModel: [{ model: 'opus', fallbackModel: 'a' }, 'fallbackModel'],
  'fallbackModel besides Opus': [{ model: 'sonnet', fallbackModel: 'a' }, 'fallbackModel'],
  'fallbackModel list': [{ fallbackModel: 'a,b' }, 'fallbackModel'],
  'systemPrompt.snapshot': [
    { systemPrompt: { type: 'custom', prompt: 'p', snapshot: true } },
    'systemPrompt.snapshot',
  ],
  'systemPrompt.excludeDynamicSections': [
    { systemPrompt: { type: 'preset', preset: 'claude_code', excludeDynamicSections: true } },
    'systemPrompt.excludeDynamicSections',
  ],
  title: [{ title: 'T' }, 'title'],
  planModeInstructions: [{ planModeInstructions: 'p' }, 'planModeInstructions'],
  verbatimPrompts: [{ verbatimPrompts: true }, 'verbatimPrompts'],
  toolAliases: [{ toolAliases: { A: 'B' } }, 'toolAliases'],
  'toolConfig.askUserQuestion.previewFormat': [
    { toolConfig: { askUserQuestion: { previewFormat: 'html' } } },
    'toolConfig.askUserQuestion.previewFormat',
  ],
  'permissionMode auto': [{ permissionMode: 'auto' }, 'permissionMode'],
  permissionPrompts: [{ permissionPrompts: 'none' }, 'permissionPrompts'],
  projectConfigRoot: [{ projectConfigRoot: '/p' }, 'projectConfigRoot'],
  supportedDialogKinds: [{ supportedDialogKinds: ['k'] }, 'supportedDialogKinds'],
  perTaskStopAffordance: [{ perTaskStopAffordance: true }, 'perTaskStopAffordance'],
  'mcpServers.timeout': [server({ timeout: 1000 }), 'mcpServers.s.timeout'],
  'mcpServers.alwaysLoad': [server({ alwaysLoad: true }), 'mcpServers.s.alwaysLoad'],
  'mcpServers.tools': [server({ tools: [{ name: 'k' }] }), 'mcpServers.s.tools'],
  'mcpServers.timeout in-process': [inProcess({ timeout: 1000 }), 'mcpServers.s.timeout'],
  'mcpServers.tools in-process': [inProcess({ tools: [{ name: 'k' }] }), 'mcpServers.s.tools'],
  onElicitation: [{ onElicitation: nothing }, 'onElicitation'],
  'hooks onFailure': [{ hooks: { Stop: [{ hooks: [], onFailure: 'block' }] } }, 'hooks.Stop.onFailure'],
  includeHookEvents: [{ includeHookEvents: true }, 'includeHookEvents'],
  resumeDropsTurn: [{ resumeDropsTurn: 'x' }, 'resumeDropsTurn'],
  sessionStore: [{ sessionStore: { append: () => Promise.resolve(), load: nothing } }, 'sessionStore'],
  forwardSubagentText: [{ forwardSubagentText: true }, 'forwardSubagentText'],
  promptSuggestions: [{ promptSuggestions: true }, 'promptSuggestions'],
  agentProgressSummaries: [{ agentProgressSummaries: true }, 'agentProgressSummaries'],
  'sandbox.failIfUnavailable': [{ sandbox: { enabled: true } }, 'sandbox.failIfUnavailable'],
  managedSettings: [{ managedSettings: {} }, 'managedSettings'],
  'skills list': [{ skills: [] }, 'skills'],
  'plugins.skipMcpDiscovery': [
    { plugins: [{ type: 'local', path: '/p', skipMcpDiscovery: true }] },
    'plugins.skipMcpDiscovery',
  ],
  'agents.model by full name': [agent({ model: 'claude-opus-4-5' }), 'agents.rev.model'],
  'agents.effort': [agent({ effort: 'low' }), 'agents.rev.effort'],
  'agents.background': [agent({ background: true }), 'agents.rev.background'],
  'agents.memory': [agent({ memory: 'user' }), 'agents.rev.memory'],
  'agents.initialPrompt': [agent({ initialPrompt: 'p' }), 'agents.rev.initialPrompt'],
  'agents.omitClaudeMd': [agent({ omitClaudeMd: true }), 'agents.rev.omitClaudeMd'],
  'agents.autoCompactWindow': [agent({ autoCompactWindow: 1 }), 'agents.rev.autoCompactWindow'],
  'agents.observer': [agent({ observer: {} }), 'agents.rev.observer'],
  'agents.observerMessage': [agent({ observerMessage: 'm' }), 'agents.rev.observerMessage'],
  'agents.criticalSystemReminder_EXPERIMENTAL': [
    agent({ criticalSystemReminder_EXPERIMENTAL: 'r' }),
    'agents.rev.criticalSystemReminder_EXPERIMENTAL',
  ],
};
const HAVE_OLDER_FORMS = ['thinking', 'systemPrompt list', 'settings inline', 'pluginDelivery initialize'];

function previous(version: string): string {
  const [, patch] = /^2\.1\.(\d+)$/.exec(version) ?? [];
  return `2.1.${Number(patch) - 1}`;
}

describe('adaptOptions', () => {
  it('is tested with every feature', () => {
    expect([...Object.keys(USES), ...HAVE_OLDER_FORMS].toSorted()).toStrictEqual(
      Object.keys(LEAST_VERSIONS).toSorted(),
    );
  });

  it.each(Object.entries(USES))(
    'refuses %s below its version and takes it from there on',
    (feature, [options, option]) => {
      const needed = LEAST_VERSIONS[feature as keyof typeof LEAST_VERSIONS];
      const others = findDemands(options).map((demand) => demand.needed);
      const sufficient = [needed, ...others].toSorted(compareVersions).at(-1);
      expect(adaptOptions(options, sufficient)).toStrictEqual(options);
      expect(adaptOptions(options, undefined)).toStrictEqual(options);
      expect(findDemands(options)).toContainEqual({ option, needed });
      try {
        adaptOptions(options, previous(needed));
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(UnsupportedOptionError);
        expect(error).toMatchObject({ option, versionFound: previous(needed) });
      }
    },
  );

  it.each(Object.entries(EVENT_VERSIONS))('refuses hooks of %s before %s', (event, needed) => {
    expect(HOOK_EVENTS).toContain(event);
    const options = { hooks: { [event]: [{ hooks: [] }] } } as Options;
    expect(adaptOptions(options, needed)).toStrictEqual(options);
    expect(() => adaptOptions(options, previous(needed))).toThrow(
      `"hooks.${event}" needs Claude CLI ${needed}`,
    );
  });

  it('names the newest version an option needs, and what else can be done', () => {
    const needs = (options: Options): string => {
      try {
        adaptOptions(options, OLDEST_VERSION);
        return '';
      } catch (error) {
        return error instanceof UnsupportedOptionError ? error.message : String(error);
      }
    };
    const list = needs({ model: 'opus', fallbackModel: 'a,b' });
    expect(list).toContain(`"fallbackModel" needs Claude CLI ${LEAST_VERSIONS['fallbackModel list']}`);
    expect(needs({ sandbox: { enabled: true } })).toMatch(
      /leave the option out\. With "failIfUnavailable: false"/,
    );
  });

  it('has only versions after the oldest and up to the newest supported one', () => {
    for (const version of [...Object.values(LEAST_VERSIONS), ...Object.values(EVENT_VERSIONS)]) {
      expect(compareVersions(version, OLDEST_VERSION)).toBeGreaterThan(0);
      expect(compareVersions(version, NEWEST_VERSION)).toBeLessThanOrEqual(0);
    }
  });

  it.each<[Options, Options]>([
    [{ promptSuggestions: false, agentProgressSummaries: false }, {}],
    [{ forwardSubagentText: false, perTaskStopAffordance: false }, {}],
    [{ permissionPrompts: 'host', supportedDialogKinds: [], toolAliases: {} }, {}],
    [
      { pluginDelivery: 'initialize', plugins: [{ type: 'local', path: '/p' }] },
      { plugins: [{ type: 'local', path: '/p' }] },
    ],
    [
      {
        systemPrompt: {
          type: 'preset',
          preset: 'claude_code',
          snapshot: false,
          excludeDynamicSections: false,
        },
      },
      { systemPrompt: { type: 'preset', preset: 'claude_code' } },
    ],
    [
      { sandbox: { enabled: true, failIfUnavailable: false } },
      { sandbox: { enabled: true, failIfUnavailable: false } },
    ],
    [agent({ model: 'opus', background: false }), agent({ model: 'opus', background: false })],
    [
      { hooks: { Stop: [{ hooks: [], onFailure: 'continue' }] } },
      { hooks: { Stop: [{ hooks: [], onFailure: 'continue' }] } },
    ],
    [
      { skills: 'all', onUserDialog: nothing },
      { skills: 'all', onUserDialog: nothing },
    ],
  ])('gives %o to the oldest CLI in its own form', (options, older) => {
    expect(adaptOptions(options, OLDEST_VERSION)).toStrictEqual(older);
    expect(adaptOptions(options, NEWEST_VERSION)).toStrictEqual(options);
  });
});

describe('hasFeature', () => {
  it('compares numbers, not text', () => {
    expect(hasFeature('verbatimPrompts', '2.1.99')).toBe(false);
    expect(hasFeature('verbatimPrompts', '2.1.1000')).toBe(true);
    expect(hasFeature('verbatimPrompts', '10.0.0')).toBe(true);
  });
});
