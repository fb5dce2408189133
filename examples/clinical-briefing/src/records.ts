// What is read from files, checked: the patient's record, and the guidelines that may be cited.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BriefingError } from './errors.js';

const [text, date, limit] = [z.string().min(1), z.iso.date(), z.number().optional()];
const Patient = z.object({
  name: text,
  born: date,
  sex: z.enum(['female', 'male', 'other']),
  reason: text,
  conditions: z.array(z.object({ name: text, since: date.optional() })),
  medications: z.array(z.object({ name: text, dose: text })),
  labs: z.array(z.object({ name: text, value: z.number(), unit: text, low: limit, high: limit, date })),
});
const Guideline = z.object({ id: text, title: text, section: text, date, action: text, text });
export type Patient = z.infer<typeof Patient>;
export type Guideline = z.infer<typeof Guideline>;

export async function readPatient(file: string): Promise<Patient> {
  try {
    return Patient.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new BriefingError('PATIENT_INVALID', `${file} is not a patient record:`, error);
  }
}

/** Markdown files with a few facts at the top. */
export async function readGuidelines(folder: string): Promise<Guideline[]> {
  const found: Guideline[] = [];
  let file = folder;
  try {
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.md')).toSorted()) {
      file = join(folder, name);
      const [, head = '', body = ''] = (await readFile(file, 'utf8')).split(/^---$/m);
      const facts = Array.from(head.matchAll(/^(\w+): (.+)$/gm), ([, key, value]) => [key, value] as const);
      found.push(Guideline.parse({ ...Object.fromEntries(facts), text: body.trim().replace(/\s+/g, ' ') }));
    }
    return found;
  } catch (error) {
    throw new BriefingError('INDEX_BROKEN', `${file} cannot be indexed:`, error);
  }
}
