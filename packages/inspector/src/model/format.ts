// Formats durations, money, counts, sizes and times, the same in every view.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Shown in place of a number that is unknown or not finite. */
export const NO_NUMBER = '–';

/** `420 ms`, `3.4 s`, `2 min 10 s`, `1 h 5 min`, `2 d 3 h`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return NO_NUMBER;
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 9.95) return `${oneDecimal(ms)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS - 50) return `${oneDecimal(ms / 1000)} s`;
  if (ms < HOUR_MS - 500) return inTwo(Math.round(ms / 1000), 60, 'min', 's');
  if (ms < DAY_MS - MINUTE_MS / 2) return inTwo(Math.round(ms / MINUTE_MS), 60, 'h', 'min');
  return inTwo(Math.round(ms / HOUR_MS), 24, 'd', 'h');
}

/** `$0.0123` below a dollar, `$12.30` from a dollar on, `<$0.0001` for an amount that would be rounded to zero. */
export function formatMoney(usd: number): string {
  if (!Number.isFinite(usd)) return NO_NUMBER;
  if (usd < 0) return `-${formatMoney(-usd)}`;
  if (usd === 0) return '$0';
  if (usd < 0.00005) return '<$0.0001';
  if (usd < 0.99995) return `$${usd.toFixed(4)}`;
  return `$${groupThousands(usd.toFixed(2))}`;
}

/** `999`, `12.4k`, `1.2M`. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return NO_NUMBER;
  if (count < 0) return `-${formatCount(-count)}`;
  if (count < 999.5) return String(Math.round(count));
  return scale(count / 1000, ['k', 'M', 'G', 'T'], '');
}

/** Every digit, in groups of three: `12,430`. */
export function formatExact(count: number): string {
  if (count < 0) return `-${formatExact(-count)}`;
  return Number.isFinite(count) ? groupThousands(String(count)) : NO_NUMBER;
}

/** `812 B`, `12.4 kB`, `3 MB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return NO_NUMBER;
  if (bytes < 999.5) return `${Math.round(bytes)} B`;
  return scale(bytes / 1000, ['kB', 'MB', 'GB', 'TB'], ' ');
}

/** A time in milliseconds since the session began: `0:03.4`, `12:40.0`, `1:02:03.4`; with three `digits`, `0:03.412`. */
export function formatClock(t: number, digits: 1 | 3 = 1): string {
  if (!Number.isFinite(t)) return NO_NUMBER;
  if (t < 0) return `-${formatClock(-t, digits)}`;
  const perSecond = 10 ** digits;
  const parts = Math.round((t / 1000) * perSecond);
  const fraction = String(parts % perSecond).padStart(digits, '0');
  const seconds = `${pad(Math.floor(parts / perSecond) % 60)}.${fraction}`;
  const minutes = Math.floor(parts / perSecond / 60);
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${seconds}`;
}

/** A time in milliseconds since 1970, as the reader's local time of day: `14:03:22`. */
export function formatTimeOfDay(epochMs: number): string {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return NO_NUMBER;
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
}

/** A time in milliseconds since 1970, as the reader's local date: `2026-11-16`. */
export function formatDate(epochMs: number): string {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return NO_NUMBER;
  return [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
}

/** `37 %`; `<1 %` for a part that is not zero but would be rounded to zero. */
export function formatShare(part: number, whole: number): string {
  if (!(whole > 0) || !Number.isFinite(part)) return NO_NUMBER;
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 0.5 ? '<1 %' : `${Math.round(percent)} %`;
}

/** `read 49 %`: how much of a session was read. Never 100 %, because then it would be whole. */
export function readWords(progress: number, what = 'read'): string {
  return `${what} ${Math.min(99, Math.floor(progress * 100))} %`;
}

/** `1 call`, `2 calls`, `12,430 calls`; the plural is made with an s unless it is given. */
export function formatCountOf(count: number, one: string, many: string = `${one}s`): string {
  return `${formatExact(count)} ${count === 1 ? one : many}`;
}

function oneDecimal(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function inTwo(count: number, per: number, large: string, small: string): string {
  const rest = count % per;
  const whole = `${Math.floor(count / per)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

function scale(value: number, units: readonly string[], gap: string): string {
  let scaled = value;
  let place = 0;
  while (scaled >= 999.5 && place < units.length - 1) {
    scaled /= 1000;
    place += 1;
  }
  return `${scaled < 99.95 ? oneDecimal(scaled) : Math.round(scaled)}${gap}${units[place]}`;
}

function groupThousands(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  let grouped = whole.slice(-3);
  for (let end = whole.length - 3; end > 0; end -= 3)
    grouped = `${whole.slice(Math.max(0, end - 3), end)},${grouped}`;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
