import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../src/options/supported-versions.js';
import { LEAST_VERSIONS, type Feature } from './least-versions.js';
import { EVENT_VERSIONS } from './event-versions.js';
import { compareVersions } from '../../src/wire/process/find/compare-versions.js';

function read(path: string): string {
  return readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8');
}

describe('the page about CLI versions', () => {
  const page = read('cli-versions.md');

  it('has the numbers that are used', () => {
    const rows = [...page.matchAll(/^\| `([\w.]+)`( [\w -]+?)? +\| (\d+\.\d+\.\d+) +\|$/gm)];
    const written = rows.map(([, name, form = '', version]) => [`${name}${form}`, version]);
    expect(Object.fromEntries(written)).toStrictEqual({ ...LEAST_VERSIONS, ...EVENT_VERSIONS });
    expect(new Set(written.map(([name]) => name)).size).toBe(written.length);
  });

  it('names the supported range', () => {
    expect(page).toMatch(new RegExp(`^\\| ${OLDEST_VERSION} to ${NEWEST_VERSION} +\\| supported`, 'm'));
  });
});

describe('what was found out about CLI versions', () => {
  interface Finding {
    name: string;
    kind: string;
    least: string;
    absentIn: string | null;
  }
  const [, json = '[]'] = /```json\n(.*?)```/s.exec(read('discoveries/cli-versions.md')) ?? [];
  const findings = JSON.parse(json) as Finding[];

  it.each<[Feature, string]>([
    ['thinking', '--thinking=adaptive'],
    ['thinking', '--thinking=disabled'],
    ['thinking.display', '--thinking-display'],
    ['effort', '--effort'],
    ['effort xhigh', '--effort=xhigh'],
    ['permissionMode auto', '--permission-mode=auto'],
    ['taskBudget', '--task-budget'],
    ['includeHookEvents', '--include-hook-events'],
    ['sessionStore', '--session-mirror'],
    ['managedSettings', '--managed-settings'],
    ['plugins.skipMcpDiscovery', '--plugin-dir-no-mcp'],
    ['resumeDropsTurn', '--resume-drops-turn'],
    ['permissionPrompts', '--permission-prompts'],
    ['pluginDelivery initialize', '--await-initialize'],
    ['projectConfigRoot', '--project-config-root'],
    ['systemPrompt list', 'systemPrompt: array'],
    ['systemPrompt.excludeDynamicSections', 'excludeDynamicSections'],
    ['title', 'title'],
    ['skills list', 'skills'],
    ['planModeInstructions', 'planModeInstructions'],
    ['toolAliases', 'toolAliases'],
    ['promptSuggestions', 'promptSuggestions'],
    ['forwardSubagentText', 'forwardSubagentText'],
    ['mcpServers.timeout in-process', 'sdkMcpServerConfigs.timeout'],
    ['hooks onFailure', 'hooks.onFailure'],
    ['verbatimPrompts', 'user.client_composed'],
  ])('agrees with the number of %s', (feature, name) => {
    const used = LEAST_VERSIONS[feature];
    const finding = findings.find((entry) => entry.name === name && entry.kind !== 'initialize reply');
    expect(compareVersions(used, finding?.least ?? '0.0.0')).toBeLessThanOrEqual(0);
    expect(compareVersions(used, finding?.absentIn ?? '9.9.9')).toBeGreaterThan(0);
  });
});
