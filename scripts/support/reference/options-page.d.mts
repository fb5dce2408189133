import type { PagePart } from '../pages/cut-page.mjs';
/** The text of docs/options.md and its parts, before it is cut; `tables` are OPTION_ROWS, CONTROLS, UNLISTED_CONTROLS and OLDEST of the sources. */
export function buildOptionsPage(tables: object): string;

/** How the page is cut. */
export const OPTIONS_PARTS: readonly PagePart[];
