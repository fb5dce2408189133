// What rounds have in common, and by how much they disagree.

/** The middle value; of two middle ones their mean. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// A median that half of the rounds miss by more than this tells little.
const STEADY_DEVIATION = 0.1;

/** Median, extremes, median deviation from the median, and whether the rounds disagree. */
export function summarize(values) {
  const middle = median(values);
  const deviation = median(values.map((value) => Math.abs(value - middle)));
  return {
    median: middle,
    min: Math.min(...values),
    max: Math.max(...values),
    deviation,
    isUnsteady: deviation > STEADY_DEVIATION * Math.abs(middle),
    values,
  };
}
