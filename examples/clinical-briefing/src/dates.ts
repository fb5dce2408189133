// Dates without a time of day, as text: 2026-01-31. They sort as they follow each other.
const DAYS = { hour: 0, day: 1, week: 7, month: 30, year: 365 };
type Unit = keyof typeof DAYS;
const DAY_MS = 86_400_000;
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = `(?:\\d+|an?|the|${NUMBERS.join('|')})`;
const SPAN = `(${NUMBER})(?: (?:to|or) (${NUMBER}))? (?:working )?(hour|day|week|month|year)s?\\b`;
/** What bounds an action in a sentence: a time within which, after which or every which something is done. */
const INTERVALS = [
  new RegExp(`\\b(?:within|after|every|in) ${SPAN}`, 'gi'),
  new RegExp(`\\b${SPAN} (?:after|later)\\b`, 'gi'),
  /\b(once) a() (day|week|month|year)\b/gi,
];
const AT_ONCE = /\b(?:at once|immediately|same day|day the)\b/i;

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The date that is meant by "2026-01-31", or by "1 year 2 weeks ago"; undefined when none is. */
export function resolveDate(written: string, today: string): string | undefined {
  if (/^(?:\d+ (?:day|week|month|year)s? )+ago$/.test(written)) {
    const spans = written.matchAll(/(\d+) (day|week|month|year)/g);
    const days = [...spans].reduce((sum, [, count, unit]) => sum + Number(count) * DAYS[unit as Unit], 0);
    return addDays(today, -days);
  }
  const isDate = /^\d{4}-\d\d-\d\d$/.test(written) && !Number.isNaN(Date.parse(written));
  return isDate && addDays(written, 0) === written ? written : undefined;
}

/** The shortest time that a text names for doing something, in days; undefined when it names none. */
export function shortestInterval(text: string): number | undefined {
  if (AT_ONCE.test(text)) return 0;
  const found = INTERVALS.flatMap((pattern) => Array.from(text.matchAll(pattern), readSpan));
  if (/\bnext day\b/i.test(text)) found.push(1);
  return found.length > 0 ? Math.min(...found) : undefined;
}

function readSpan([, first = '', last, unit = '']: RegExpMatchArray): number {
  const count = (last || first).toLowerCase();
  const number = NUMBERS.includes(count) ? NUMBERS.indexOf(count) : Number(count) || 1;
  // Hours end on the day that they reach.
  return unit === 'hour' ? Math.ceil(number / 24) : number * DAYS[unit.toLowerCase() as Unit];
}
