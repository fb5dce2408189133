// Compares two sessions: their steps, their totals, and the facts in which they differ.
import type { SessionModel } from '../../session-model.js';
import type { SessionSummary } from '../../session-summary.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';
import { SHARE_KINDS } from '../../share-words.js';
import { countTokens } from '../fleet-totals.js';
import { compareStories, type ComparedStep } from './compare-steps.js';

/** A figure of both sessions; undefined on a side that does not have it. */
export interface ComparedTotal {
  name: string;
  unit: 'duration' | 'money' | 'count';
  /** For a figure that is a share of the time: which share. */
  share?: keyof TimeShares | undefined;
  left: number | undefined;
  right: number | undefined;
}

/** How often each session called a tool, and how often the calls failed. */
export interface ComparedTool {
  name: string;
  left: { calls: number; failed: number };
  right: { calls: number; failed: number };
}

/** A fact, such as the model, in which the two sessions differ. */
export interface ComparedFact {
  name: string;
  left: string;
  right: string;
}

/** What a comparison of two sessions shows. */
export interface Comparison {
  steps: ComparedStep[];
  /** How many steps have each verdict. */
  counts: Record<ComparedStep['verdict'], number>;
  totals: ComparedTotal[];
  tools: ComparedTool[];
  facts: ComparedFact[];
}

/** Compares two sessions as far as their events were read. */
export function compareSessions(left: SessionModel, right: SessionModel): Comparison {
  const steps = compareStories(left.story.items, right.story.items);
  const counts = { same: 0, differs: 0, left: 0, right: 0 };
  for (const { verdict } of steps) counts[verdict] += 1;
  const [one, other] = [left.summary.read(), right.summary.read()];
  return {
    steps,
    counts,
    totals: compareTotals(one, other),
    tools: compareTools(steps),
    facts: compareFacts(one, other),
  };
}

function compareTotals(left: SessionSummary, right: SessionSummary): ComparedTotal[] {
  const row = (
    name: string,
    unit: ComparedTotal['unit'],
    read: (summary: SessionSummary) => number | undefined,
  ): ComparedTotal => ({ name, unit, left: read(left), right: read(right) });
  return [
    row('Time', 'duration', ({ durationMs }) => durationMs),
    ...SHARE_KINDS.map(({ key, word }) => ({
      ...row(word, 'duration', ({ shares }) => shares[key]),
      share: key,
    })),
    row('Cost', 'money', ({ costUsd }) => costUsd),
    row('Tokens', 'count', ({ tokens }) => countTokens(tokens)),
    row('in', 'count', ({ tokens }) => tokens.input),
    row('out', 'count', ({ tokens }) => tokens.output),
    row('from cache', 'count', ({ tokens }) => tokens.cacheRead),
    row('to cache', 'count', ({ tokens }) => tokens.cacheWrite),
    row('Turns', 'count', ({ turns }) => turns),
    row('Errors', 'count', ({ errors }) => errors),
  ];
}

function compareTools(steps: readonly ComparedStep[]): ComparedTool[] {
  const tools = new Map<string, ComparedTool>();
  for (const step of steps)
    for (const side of ['left', 'right'] as const) {
      const item = step[side]?.item;
      if (item?.kind !== 'call') continue;
      const name = item.server === undefined ? item.name : `${item.server}: ${item.name}`;
      const tool = tools.get(name) ?? {
        name,
        left: { calls: 0, failed: 0 },
        right: { calls: 0, failed: 0 },
      };
      tools.set(name, tool);
      tool[side].calls += 1;
      if (item.state === 'failed') tool[side].failed += 1;
    }
  return [...tools.values()];
}

function compareFacts(left: SessionSummary, right: SessionSummary): ComparedFact[] {
  const facts: [string, (summary: SessionSummary) => string | undefined][] = [
    ['State', ({ state, stateText }) => (stateText === '' ? state : stateText)],
    ['Model', ({ model }) => model],
    ['Permission mode', ({ permissionMode }) => permissionMode],
    ['Folder', ({ cwd }) => cwd],
    ['Claude CLI', ({ claudeCodeVersion }) => claudeCodeVersion],
  ];
  return facts
    .map(([name, read]) => ({ name, left: read(left) ?? 'unknown', right: read(right) ?? 'unknown' }))
    .filter((fact) => fact.left !== fact.right);
}
