// The shape of a briefing, and the rules no JSON Schema can say: what may be cited, and which dates can be.
import { z } from 'zod';
import type { SearchContext } from './search-tool.js';
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
export const SEVERITIES = ['critical', 'warning', 'info'] as const;

/** The schema for one run: it looks at what this run has retrieved at the moment it is asked. */
export function briefingSchema(born: string, today: string, { retrieved }: Pick<SearchContext, 'retrieved'>) {
  const citation = z
    .strictObject({ guideline: z.string(), quote: z.string().min(20).describe('A sentence, word by word') })
    .superRefine(({ guideline, quote }, context) => {
      const text = retrieved.get(guideline)?.text;
      if (text === undefined)
        context.addIssue(`${guideline} was not returned by a search of this run: search for it, or drop it`);
      else if (!plain(text).includes(plain(quote)))
        context.addIssue(`This quote is not in ${guideline}: copy a sentence word by word`);
    });
  const citations = z.array(citation).min(1);
  // ISO dates sort as text.
  const observedOn = z.iso
    .date()
    .refine((date) => date <= today, `This date lies in the future: today is ${today}`)
    .refine((date) => date >= born, `This date is before the patient's birth on ${born}`);
  const dueBy = z.iso.date().refine((date) => date >= today, `This date has passed: today is ${today}`);
  const severity = z.enum(SEVERITIES);
  return z.strictObject({
    summary: z.string().min(40).max(1200).describe('What matters today, in two to four sentences'),
    flags: z.array(z.strictObject({ severity, finding: z.string(), observedOn, citations })),
    actions: z.array(z.strictObject({ action: z.string(), dueBy, citations })).min(1),
  });
}
