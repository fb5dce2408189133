// What axe-core finds wrong with a page, and what it could not decide: both must be empty.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '../../support/page.js';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core says, one line for each element. */
export interface Audit {
  violations: string[];
  /** What it could not decide by itself. */
  incomplete: string[];
}

/** Audits the page after all transitions, because a colour half-way between two themes is not meant. */
export async function auditPage(page: Page, selector = 'html'): Promise<Audit> {
  // A page's own policy forbids script tags that it did not bring; evaluating is the debugger's right.
  if (!(await page.read<boolean>('typeof axe === "object"'))) await page.read(`${SOURCE};true`);
  return page.read<Audit>(`(async () => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    const { violations, incomplete } = await axe.run(document.querySelector(${JSON.stringify(selector)}), {
      resultTypes: ['violations', 'incomplete'],
    });
    const tell = (rules) => rules.flatMap(({ id, nodes }) => nodes.map((node) =>
      id + ': ' + node.target.join(' ') + ': ' + [...node.any, ...node.all, ...node.none].map(({ message }) => message).join('; ')));
    return { violations: tell(violations), incomplete: tell(incomplete) };
  })()`);
}
