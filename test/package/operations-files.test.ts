// The alert rules and the dashboard that are published ask only for metrics, labels and values that are exported. Whether a rule
// fires on its trouble is tried in test/services/operations/alerts.test.ts.
import { describe, expect, it } from 'vitest';
import { prometheusName, toLabel, type Metric } from '../../packages/core/src/health/metric.js';
import { CLUSTER_METRICS } from '../../packages/cluster/src/numbers/cluster-metrics.js';
import { REMOTE_METRICS } from '../../packages/remote/src/serve/server-health.js';
import { listAnchors } from '../../scripts/support/site/markdown.mjs';
import { readProjectFile } from './project.js';
import { readQuery } from './promql.js';

const METRICS: readonly Metric[] = [...Object.values(CLUSTER_METRICS), ...Object.values(REMOTE_METRICS)];
/** The labels that Prometheus itself adds. */
const OF_PROMETHEUS = ['job', 'instance'];

/** What can be asked for, by the name of a series: its labels, with their values if these are known. */
const SERIES = new Map<string, Map<string, readonly string[]>>();
for (const metric of METRICS) {
  const labels = new Map(Object.entries(metric.attributes).map(([name, values]) => [toLabel(name), values]));
  for (const label of OF_PROMETHEUS) labels.set(label, []);
  const name = prometheusName(metric);
  if (metric.kind !== 'histogram') SERIES.set(name, labels);
  else {
    for (const part of ['sum', 'count']) SERIES.set(`${name}_${part}`, labels);
    SERIES.set(`${name}_bucket`, new Map([...labels, ['le', []]]));
  }
}

/** What is wrong with a query; empty if nothing is. */
function findFaults(query: string): string[] {
  const { metrics, grouped } = readQuery(query);
  const faults = metrics.flatMap(({ name, matchers }) => {
    const labels = SERIES.get(name);
    if (!labels) return [`there is no metric ${name}`];
    return matchers.flatMap(({ label, operator, value }) => {
      const values = labels.get(label);
      if (!values) return [`${name} has no label ${label}`];
      const asked = operator.endsWith('~') ? value.split('|') : [value];
      if (values.length === 0) return [];
      return asked.filter((each) => !values.includes(each)).map((each) => `${label} is never ${each}`);
    });
  });
  const known = metrics.map(({ name }) => SERIES.get(name));
  const groups = grouped.filter((label) => !known.every((labels) => labels?.has(label)));
  return [...faults, ...groups.map((label) => `nothing has the label ${label}`)];
}

const rules = readProjectFile('docs/operations/alerts.yml');
const alerts = rules
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => {
    const expr = /^ +expr: (?:>-\n\s*)?(?<expr>.+(?:\n {10,}\S.*)*)/m.exec(text)?.groups?.['expr'];
    return { name: text.split('\n')[0] ?? '', text, expr: (expr ?? '').replaceAll(/\s*\n\s*/g, ' ') };
  });

interface Dashboard {
  panels: Array<{ title: string; targets: Array<{ expr: string }> }>;
  templating: { list: Array<{ query: string | { query: string } }> };
}
const dashboard = JSON.parse(readProjectFile('docs/operations/dashboard.json')) as Dashboard;
const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

const runbooks = [...rules.matchAll(/runbook: (docs\/operations\S*)#(\S+)/g)];

it.each(runbooks.map(([, page = '', anchor = '']) => [page, anchor]))(
  'the runbook %s has a section %s',
  (page, anchor) => {
    expect(listAnchors(readProjectFile(page))).toContain(anchor);
  },
);

describe('the alert rules', () => {
  it('are all read', () => {
    expect(alerts).toHaveLength(17);
    expect(runbooks.length).toBeGreaterThan(10);
    expect(rules.match(/\bexpr:/g)).toHaveLength(alerts.length);
  });

  it.each(alerts)('$name asks for what is exported', ({ expr }) => {
    expect(expr).not.toBe('');
    expect(findFaults(expr)).toEqual([]);
  });

  it.each(alerts)('$name is tried in both ways, and is explained', ({ name }) => {
    const tried = readProjectFile('test/operations/alerts.promtool.yml');
    expect(tried).toContain(`name: ${name} fires`);
    expect(tried).toContain(`name: ${name} does not fire`);
    expect(readProjectFile('docs/health.md')).toContain(`\`${name}\``);
  });
});

describe('the dashboard', () => {
  it.each(panels)('$title asks for what is exported: $expr', ({ expr }) => {
    expect(findFaults(expr)).toEqual([]);
  });

  it('chooses among what is exported', () => {
    const asked = dashboard.templating.list.flatMap(({ query }) =>
      typeof query === 'string' ? [] : [query.query],
    );
    const names = asked.map((query) => /^label_values\((\w+), (\w+)\)$/.exec(query)?.slice(1) ?? []);
    for (const [metric = '', label = ''] of names) expect(SERIES.get(metric)?.has(label)).toBe(true);
    expect(names).toHaveLength(1);
  });
});

describe('findFaults', () => {
  it.each([
    ['sum(rate(inboard_cluster_turn_total[5m]))', 'there is no metric inboard_cluster_turn_total'],
    ['inboard_cluster_check{check="journal"} == 0', 'inboard_cluster_check has no label check'],
    ['inboard_cluster_check{inboard_check=~"journal|disc"}', 'inboard_check is never disc'],
    ['sum by (tenant) (inboard_cluster_questions)', 'nothing has the label tenant'],
    ['sum by (le) (inboard_cluster_queue_wait_seconds_sum)', 'nothing has the label le'],
    ['inboard_cluster_queue_wait_seconds > 1', 'there is no metric inboard_cluster_queue_wait_seconds'],
  ])('of %s is found', (query, fault) => {
    expect(findFaults(query)).toEqual([fault]);
  });

  it.each(['ratte(inboard_cluster_turns_total[5m])', '{job="a"}', 'a{b="c"', 'a{b}', 'a # b'])(
    'refuses %s, which it cannot read',
    (query) => {
      expect(() => findFaults(query)).toThrow();
    },
  );
});
