// How figures are written.

/** Three digits that count, and no more. */
export function formatNumber(value) {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  if (size >= 10) return value.toFixed(1).replace(/\.0$/, '');
  // No minus before nothing.
  return (Math.round(value * 100) / 100 || 0).toString();
}

/** A median with the lowest and the highest round, and a sign when they disagree. */
export function formatFigure(figure) {
  if (figure === undefined) return '';
  const { median, min, max, isUnsteady } = figure;
  const spread = figure.values.length > 1 ? ` (${formatNumber(min)}–${formatNumber(max)})` : '';
  return `${isUnsteady ? '~' : ''}${formatNumber(median)}${spread}`;
}

/** A multiple, as in 1.25×. */
export function formatTimes(times) {
  return times === undefined ? '' : `${times >= 10 ? times.toFixed(1) : times.toFixed(2)}×`;
}
