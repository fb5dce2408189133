import type { PagePart } from '../pages/cut-page.mjs';
/** The text of docs/errors.md and its parts, before it is cut; `guides` are the tables of error-guide.ts and warning-guide.ts. */
export function buildErrorsPage(guides: object): string;

/** How the page is cut. */
export const ERRORS_PARTS: readonly PagePart[];
