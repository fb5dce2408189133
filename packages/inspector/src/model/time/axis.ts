// Computes the ticks of a time axis: round steps, and one unit for all labels of a view.
import { formatExact } from '../format.js';
import type { FoldedTime } from './folded-time.js';

/** The unit of the labels of an axis. */
export interface AxisUnit {
  name: 'ms' | 's' | 'min' | 'h';
  ms: number;
}

/** A tick and its label. */
export interface Tick {
  t: number;
  label: string;
}

/** The ticks of a window. */
export interface Axis {
  unit: AxisUnit;
  stepMs: number;
  ticks: Tick[];
}

/** The units. A unit is used for windows of at least `least` such units: minutes are used from 6 minutes on. */
const UNITS: readonly (AxisUnit & { least: number })[] = [
  { name: 'h', ms: 3_600_000, least: 6 },
  { name: 'min', ms: 60_000, least: 6 },
  { name: 's', ms: 1000, least: 1.5 },
  { name: 'ms', ms: 1, least: 0 },
];
/** The usual steps for minutes and hours. */
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30];
const MOST_TICKS = 200;
const MOST_DIGITS = 6;

/** The ticks between two times, at most about `most`, with labels in one unit. */
export function makeAxis(from: number, to: number, most: number): Axis {
  const span = Math.max(to - from, 1e-6);
  const unit = unitFor(span);
  const stepMs = roundStep(span / Math.max(1, most), unit);
  return { unit, stepMs, ticks: listTicks(from, to, stepMs, unit) };
}

function listTicks(from: number, to: number, stepMs: number, unit: AxisUnit): Tick[] {
  const ticks: Tick[] = [];
  const digits = countDigits(stepMs / unit.ms);
  const first = Math.ceil(from / stepMs - 1e-9);
  for (let index = first; index * stepMs <= to + stepMs * 1e-9 && ticks.length < MOST_TICKS; index += 1) {
    const t = index * stepMs;
    ticks.push({ t, label: `${writeNumber(t / unit.ms, digits)} ${unit.name}` });
  }
  return ticks;
}

/** The ticks of a part of an axis that may have folds. No tick is inside a fold. */
export function makeFoldedAxis(
  time: FoldedTime,
  { from, to }: { from: number; to: number },
  most: number,
): Axis {
  // Unit and step depend on the visible length. The time inside folds would make them too large.
  const unit = unitFor(to - from);
  const stepMs = roundStep((to - from) / Math.max(1, most), unit);
  const ticks: Tick[] = [];
  let start = time.toTime(from);
  for (const fold of time.folds) {
    if (fold.to <= from || fold.from >= to) continue;
    ticks.push(...listTicks(start, Math.min(fold.start, time.toTime(to)), stepMs, unit));
    start = fold.end;
  }
  const end = time.toTime(to);
  if (start <= end) ticks.push(...listTicks(start, end, stepMs, unit));
  return { unit, stepMs, ticks };
}

/** The unit for all values that are shown together. */
function unitFor(spanMs: number): AxisUnit {
  const { name, ms } = UNITS.find((one) => spanMs >= one.least * one.ms) ?? { name: 'ms' as const, ms: 1 };
  return { name, ms };
}

function roundStep(atLeast: number, unit: AxisUnit): number {
  if (unit.ms >= 60_000) {
    const clock = CLOCK_STEPS.map((step) => (step * unit.ms) / 60).concat(
      CLOCK_STEPS.map((step) => step * unit.ms),
    );
    const found = clock.find((step) => step >= atLeast && countDigits(step / unit.ms) <= 2);
    if (found !== undefined) return found;
  }
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const times = [1, 2, 5, 10].find((factor) => factor * power >= atLeast * (1 - 1e-9)) ?? 10;
  return times * power;
}

/** How many decimals a step needs, up to a limit: a quarter of an hour needs two, a third reaches the limit. */
function countDigits(step: number): number {
  for (let digits = 0; digits < MOST_DIGITS; digits += 1) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6) return digits;
  }
  return MOST_DIGITS;
}

function writeNumber(value: number, digits: number): string {
  const [whole = '0', fraction] = value.toFixed(digits).split('.');
  const grouped = formatExact(Number(whole));
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
