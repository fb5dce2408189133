/** The text of docs/options.md; `tables` are OPTION_ROWS, CONTROLS, UNLISTED_CONTROLS and OLDEST of the sources. */
export function buildOptionsPage(tables: object): string;
