// Numbers of a sample.

/** The value below which so many of the sample lie; undefined for an empty one. */
export function percentile(sample, share) {
  const sorted = sample.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** `p50 / p99 (count)`, in milliseconds. */
export function describeSample(sample) {
  if (sample.length === 0) return 'none';
  const show = (ms) => (ms < 10 ? ms.toFixed(1) : Math.round(ms));
  return `${show(percentile(sample, 0.5))} / ${show(percentile(sample, 0.95))} / ${show(percentile(sample, 0.99))} ms (${sample.length})`;
}
