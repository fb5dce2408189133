// Compares two limits of what a turn may cost.

/** The lower of two budgets. Undefined means no limit. */
export function lowerBudget(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
