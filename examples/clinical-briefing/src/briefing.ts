// The shape of a briefing, and the rules no JSON Schema can say: cite what was retrieved, quote what is written there, and
// give no date that cannot be.
import { z } from 'zod';
import type { SearchContext } from './search-tool.js';

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Briefing = z.infer<ReturnType<typeof briefingSchema>>;

/** The schema for one run: it looks at what this run has retrieved at the moment it is asked. */
export function briefingSchema(born: string, today: string, { retrieved }: Pick<SearchContext, 'retrieved'>) {
  const citation = z
    .strictObject({ guideline: z.string(), quote: z.string().min(20).describe('A sentence, word by word') })
    .superRefine(({ guideline, quote }, context) => {
      const text = retrieved.get(guideline)?.text;
      if (text === undefined)
        context.addIssue(
          `${guideline} was not returned by a search of this briefing: search for it, or leave it out`,
        );
      else if (!plain(text).includes(plain(quote)))
        context.addIssue(`This quote is not in ${guideline}: copy a sentence word by word`);
    });
  const citations = z.array(citation).min(1);
  // ISO dates sort as text.
  const past = z.iso
    .date()
    .refine((date) => date <= today, `This date lies in the future: today is ${today}`)
    .refine((date) => date >= born, `This date is before the patient's birth on ${born}`);
  const due = z.iso.date().refine((date) => date >= today, `This date has passed: today is ${today}`);
  const finding = z.string().max(160);
  return z.strictObject({
    summary: z
      .string()
      .min(40)
      .max(1200)
      .describe('Who this is and what matters today, in two to four sentences'),
    flags: z.array(z.strictObject({ severity: z.enum(SEVERITIES), finding, observedOn: past, citations })),
    actions: z.array(z.strictObject({ action: z.string().max(240), dueBy: due, citations })).min(1),
  });
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
