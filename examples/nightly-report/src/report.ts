// What a run found, as text and as a page (report.txt, report.html): a table for each tenant, and what failed and why.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TenantResult } from './run-night.ts';

const COLOURS = { done: '#2f7d4f', 'over budget': '#a86b12', failed: '#c2413a', 'not finished': '#6d675f' };

export function renderReport(night: string, folder: string, results: TenantResult[], missed: string[]) {
  const done = results.filter(({ status }) => status === 'done').length;
  const page = {
    title: `Nightly report of ${night.slice(0, 10)}: ${done} of ${results.length} done`,
    cost: results.reduce((sum, { costUsd }) => sum + costUsd, 0).toFixed(4),
    notes: missed.map((other) => `The run of ${other} was missed.`),
    traces: join(folder, 'traces', night),
  };
  const tenants = results.map(({ tenant, costUsd, spentBefore, tokens, seconds, trace, ...result }) => ({
    ...tenant,
    ...result,
    colour: COLOURS[result.status],
    cost: costUsd.toFixed(4),
    share: Number(((100 * (spentBefore + costUsd)) / (tenant.budgetUsd || Infinity)).toPrecision(3)),
    tokens: tokens.toLocaleString('en'),
    seconds: seconds.toFixed(1),
    trace: trace && relative(folder, trace),
  }));
  const render = (file: string, put: (value: string) => string): string => {
    const fill = (part = '', values: Record<string, unknown>) =>
      part.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => put([values[name]].flat().join('\n')));
    const template = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
    const [head, part, foot] = template.split(/<!--\/?tenant-->/);
    return fill(head, page) + tenants.map((values) => fill(part, values)).join('') + fill(foot, page);
  };
  const text = render('report.txt', (value) => value.replaceAll('\n', '\n  ')).replace(/\n\s*\n  /g, '\n  ');
  // Every value is text to the page, whoever wrote it.
  const escape = (value: string) => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return { subject: page.title, text, html: render('report.html', escape) };
}
