// The texts that may be cited: Markdown files with a few facts at the top.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BriefingError } from './errors.js';

const Guideline = z.object({
  id: z.string().regex(/^G-\d{3}$/),
  title: z.string(),
  section: z.string(),
  date: z.iso.date(),
  action: z.string(),
  text: z.string().min(1),
});
export type Guideline = z.infer<typeof Guideline>;

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
  } catch (error) {
    throw new BriefingError('INDEX_BROKEN', `${file} cannot be indexed:`, error);
  }
  return found;
}
