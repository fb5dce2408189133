// Formats times for the output of commands. All are shown in UTC, so that times from several machines can be compared.

/** `2026-11-16 10:00:05Z`. */
export function showTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** `11-16 10:00Z`, or `2025-11-16` for another year: the short form for tables. */
export function showShortTime(at: number): string {
  const text = showTime(at);
  return text.startsWith(String(new Date().getUTCFullYear())) ? `${text.slice(5, 16)}Z` : text.slice(0, 10);
}

/** `10:00:05Z`, for times that are always recent. */
export function showTimeOfDay(at: number): string {
  return showTime(at).slice(11);
}
