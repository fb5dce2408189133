// Makes a failing run smaller: leaves out whatever it also fails without. What is left out has a name, so that a command can say it.
import type { Plan } from './plan.js';
import type { RunReport } from './run-seed.js';

/** What can be left out of a plan: conversations (`c0`), turns (`c0-1`), faults (`f2`, by their place), and what becomes of wakes (`wakes`). */
export function listParts(plan: Plan): string[] {
  return [
    ...plan.conversations.map(({ key }) => key),
    ...plan.faults.map((_, index) => `f${index}`),
    'wakes',
    ...plan.conversations.flatMap(({ key, turns }) => turns.map(({ n }) => `${key}-${n}`)),
  ];
}

/** The plan without these parts. Throws for a part that it does not have. */
export function dropParts(plan: Plan, parts: readonly string[]): Plan {
  const known = listParts(plan);
  for (const part of parts)
    if (!known.includes(part)) throw new Error(`The plan has no part "${part}": ${known.join(', ')}`);
  const isKept = (part: string): boolean => !parts.includes(part);
  return {
    ...plan,
    conversations: plan.conversations
      .filter(({ key }) => isKept(key))
      .map(({ key, turns }) => ({ key, turns: turns.filter(({ n }) => isKept(`${key}-${n}`)) }))
      .filter(({ turns }) => turns.length > 0),
    faults: plan.faults.filter((_, index) => isKept(`f${index}`)),
    ...(isKept('wakes') ? {} : { lostWakes: 0, doubledWakes: 0 }),
  };
}

/** The smallest run found that breaks a promise of the same kind, and what was left out for it. */
export async function shrink(
  failed: RunReport,
  run: (plan: Plan) => Promise<RunReport>,
): Promise<{ report: RunReport; dropped: string[] }> {
  const kinds = new Set(failed.broken.map(kindOf));
  let best = failed;
  const dropped: string[] = [];
  for (const part of listParts(failed.plan)) {
    const smaller = dropParts(failed.plan, [...dropped, part]);
    if (smaller.conversations.length === 0) continue;
    const report = await run(smaller);
    if (!report.broken.some((line) => kinds.has(kindOf(line)))) continue;
    best = report;
    dropped.push(part);
  }
  return { report: best, dropped };
}

const kindOf = (line: string): string => line.split(' ')[0] ?? '';
