// The record that goes in: its shape, and reading it from a file.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { BriefingError } from './errors.js';

const limit = z.number().optional();
const Patient = z.object({
  name: z.string(),
  born: z.iso.date(),
  sex: z.enum(['female', 'male', 'other']),
  reason: z.string(),
  conditions: z.array(z.object({ name: z.string(), since: z.iso.date().optional() })),
  medications: z.array(z.object({ name: z.string(), dose: z.string() })),
  labs: z.array(
    z.object({
      name: z.string(),
      value: z.number(),
      unit: z.string(),
      low: limit,
      high: limit,
      date: z.iso.date(),
    }),
  ),
});
export type Patient = z.infer<typeof Patient>;

export async function readPatient(file: string): Promise<Patient> {
  try {
    return Patient.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new BriefingError('PATIENT_INVALID', `${file} is not a patient record:`, error);
  }
}
