// What a guideline asks for and forbids, in a form that a program can hold against a record. A rule stands at the top of its
// guideline, with the words of the text that it is taken from:
//   must: stop metformin if eGFR < 30 | stop it when the eGFR falls below 30
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Lab, Patient } from './records.js';

export const KINDS = ['start', 'stop', 'increase', 'decrease', 'monitor', 'refer'] as const;
export type Change = { kind: (typeof KINDS)[number]; what: string };
type Force = 'must' | 'advise' | 'forbid';
export type Rule = Change & { guideline: string; force: Force; conditions: string[]; says: string };

const limit = z.number().optional();
const Vocabulary = z.object({
  medicines: z.record(z.string(), z.array(z.string())),
  analytes: z.record(z.string(), z.object({ unit: z.string(), low: limit, high: limit })),
});
const FILE = join(import.meta.dirname, '..', 'guidelines', 'vocabulary.json');
/** Classes of medicines with their members, and what is measured, with its unit and reference range. */
export const VOCABULARY = Vocabulary.parse(JSON.parse(await readFile(FILE, 'utf8')));

/** Reads a line from the top of a guideline; undefined when it is no rule. */
export function readRule(guideline: string, force: string, line: string): Rule | undefined {
  if (force !== 'must' && force !== 'advise' && force !== 'forbid') return undefined;
  const [, kind, what = '', , given, says = ''] = /^(\w+) (.+?)( if (.+?))? \| (.+)$/.exec(line) ?? [];
  const conditions = given?.split(' and ') ?? [];
  const isKind = KINDS.find((each) => each === kind);
  const broken = isKind ? conditions.find((each) => !CONDITION.test(each)) : line;
  if (!isKind || broken) throw new Error(`"${broken}" is no part of a rule`);
  return { guideline, force, kind: isKind, what, conditions, says };
}

export function sayRule({ force, kind, what, conditions }: Rule): string {
  return `${force} ${kind} ${what}${conditions.length > 0 ? ` if ${conditions.join(' and ')}` : ''}`;
}

// An analyte that is not known is a slip of the pen: the rule would never hold, and nobody would notice.
const ANALYTES = Object.keys(VOCABULARY.analytes).join('|');
const CONDITION = new RegExp(`^(?:(takes|has|is) (.+)|(age|${ANALYTES}) (<|<=|>|>=) ([\\d.]+))$`);

/** Whether a condition holds for a record; undefined when the record does not say. */
export function holds(condition: string, patient: Patient, today: string): boolean | undefined {
  const [, relation, word = '', measure = '', sign = '', bound] = CONDITION.exec(condition) ?? [];
  if (relation === 'takes') return patient.medications.some(({ name }) => isMeant(name, word));
  if (relation === 'has') return patient.conditions.some(({ name }) => mentions(name, word));
  if (relation === 'is') return patient.sex === word;
  const lab = listLatest(patient).find(({ name }) => isSame(name, measure));
  const value = measure === 'age' ? ageOf(patient, today) : lab?.value;
  if (value === undefined) return undefined;
  const difference = value - Number(bound);
  return (sign.endsWith('=') && difference === 0) || (sign.startsWith('<') ? difference < 0 : difference > 0);
}

/** Whether a name is the medicine that a rule means, or belongs to the class that it means. */
export function isMeant(name: string, meant: string): boolean {
  const members = Object.entries(VOCABULARY.medicines).find(([group]) => isSame(group, meant))?.[1] ?? [];
  return isSame(name, meant) || members.some((member) => isSame(member, name));
}

/** The class of a medicine or of a class; a name that is in none stands for itself. */
export function classOf(name: string): string {
  const groups = Object.keys(VOCABULARY.medicines);
  return groups.find((group) => isMeant(name, group)) ?? name.toLowerCase();
}

/** The newest value of each analyte. */
export function listLatest({ labs }: Patient): Lab[] {
  const newestFirst = labs.toSorted((one, other) => other.date.localeCompare(one.date));
  return newestFirst.filter((lab, at) => newestFirst.findIndex(({ name }) => isSame(name, lab.name)) === at);
}

/** What the guidelines know of an analyte: the unit of their numbers, and its range. */
export const findAnalyte = (name: string) =>
  Object.entries(VOCABULARY.analytes).find(([known]) => isSame(known, name))?.[1];

/** Where a value lies: by the range in the record, or else by the one of the analyte. */
export function judge({ name, value, low, high }: Lab): 'low' | 'high' | 'normal' | 'without a range' {
  const range = low === undefined && high === undefined ? findAnalyte(name) : { low, high };
  if (!range) return 'without a range';
  if (value < (range.low ?? -Infinity)) return 'low';
  return value > (range.high ?? Infinity) ? 'high' : 'normal';
}

export function isAbnormal(lab: Lab): boolean {
  return judge(lab) === 'low' || judge(lab) === 'high';
}

export function ageOf({ born }: Pick<Patient, 'born'>, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(5) < born.slice(5) ? years - 1 : years;
}

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export function mentions(text: string, word: string): boolean {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}+]+/gu, ' ')} `.includes(` ${word.toLowerCase()} `);
}
