// Figures that tests note for `scripts/measure-page.mjs`.
import { appendFileSync } from 'node:fs';

/** Keeps a figure, if the script wants it. */
export function measure(name: string, value: number | string): void {
  const target = process.env['INBOARD_MEASURE'];
  if (target !== undefined) appendFileSync(target, `${JSON.stringify({ name, value })}\n`);
}
