/** The text of docs/errors.md; `guides` are the tables of error-guide.ts and warning-guide.ts. */
export function buildErrorsPage(guides: object): string;
