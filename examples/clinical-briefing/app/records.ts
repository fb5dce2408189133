// What the agent works on, checked: a patient's record, and the guidelines with their rules and chunks.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { resolveDate } from '../src/dates.js';
import { BriefingError } from '../src/errors.js';
import { findAnalyte, readRule, type Rule } from './rules.js';

const [text, unit, number, day] = [z.string().min(1), z.string(), z.number(), z.iso.date()];
const limit = number.optional();
const OTHER_UNIT = 'The guidelines have this value in another unit (guidelines/vocabulary.json): convert it';

/** The schema of a record. Its dates may count back from today ("6 days ago"), so that a sample does not age. */
export function patientSchema(today: string) {
  const date = z.string().transform((written, context) => {
    const resolved = resolveDate(written, today);
    if (resolved !== undefined && resolved <= today) return resolved;
    context.addIssue(`"${written}" is no date in the past, such as 2026-01-31 or "2 weeks ago"`);
    return z.NEVER;
  });
  const lab = z.object({ name: text, value: number, unit, low: limit, high: limit, date });
  return z.object({
    name: text,
    born: date,
    sex: z.enum(['female', 'male', 'other']),
    reason: text,
    conditions: z.array(z.object({ name: text, since: date.optional() })),
    medications: z.array(z.object({ name: text, dose: text })),
    labs: z.array(lab.refine((own) => own.unit === (findAnalyte(own.name) ?? own).unit, OTHER_UNIT)),
  });
}
export type Patient = z.infer<ReturnType<typeof patientSchema>>;
export type Lab = Patient['labs'][number];

/** One passage, which is what the model reads and cites: a few sentences, and the rules that they carry. */
export type Chunk = { id: string; text: string; rules: Rule[] };

const Facts = z.object({ id: text, title: text, section: text, date: day, action: text, keywords: text });
export type Guideline = z.infer<typeof Facts> & { text: string; chunks: Chunk[] };
const SENTENCES_PER_CHUNK = 3;

/** Takes a guideline apart: facts and rules at the top, one on each line, and the text below. Throws when a rule is not in it. */
export function parseGuideline(source: string): Guideline {
  const [, head = '', body = ''] = source.split(/^---$/m);
  const lines = Array.from(head.matchAll(/^(\w+): (.+)$/gm), ([, key = '', value = '']) => ({ key, value }));
  const facts = Facts.parse(Object.fromEntries(lines.map(({ key, value }) => [key, value])));
  const rules = lines.flatMap(({ key, value }) => readRule(facts.id, key, value) ?? []);
  const sentences = splitSentences(plain(body));
  const chunks: Chunk[] = [];
  for (let at = 0; at < sentences.length; at += SENTENCES_PER_CHUNK) {
    const passage = sentences.slice(at, at + SENTENCES_PER_CHUNK);
    const carried = passage.flatMap((sentence) =>
      rules.filter(({ says }) => sentence.includes(says)).map((rule) => ({ ...rule, says: sentence })),
    );
    chunks.push({ id: `${facts.id}.${chunks.length + 1}`, text: passage.join(' '), rules: carried });
  }
  const lost = rules.find(({ says }) => !sentences.some((sentence) => sentence.includes(says)));
  if (lost) throw new Error(`No sentence says "${lost.says}"`);
  return { ...facts, text: plain(body), chunks };
}

export function plain(written: string): string {
  return written.replace(/\s+/g, ' ').trim();
}

export function splitSentences(written: string): string[] {
  return written.split(/(?<=[.!?]) (?=[A-Z0-9])/);
}

export async function readPatient(file: string, today: string): Promise<Patient> {
  try {
    return patientSchema(today).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new BriefingError('PATIENT_INVALID', `${file} is not a patient record:`, error);
  }
}

export async function readGuidelines(folder: string): Promise<Guideline[]> {
  const found: Guideline[] = [];
  let file = folder;
  try {
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.md')).toSorted()) {
      file = join(folder, name);
      found.push(parseGuideline(await readFile(file, 'utf8')));
    }
    return found;
  } catch (error) {
    throw new BriefingError('INDEX_BROKEN', `${file} cannot be indexed:`, error);
  }
}
