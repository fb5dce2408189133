// The names of the official package, and the entry points of this one that replace them.

/** The package that programs are moved from. */
export const OFFICIAL_PACKAGE = '@anthropic-ai/claude-agent-sdk';

// The entry points of this package, by what follows the official package's name. The official package's other entry
// points serve its vendor's own products, or are internal files.
const ENTRY_POINTS = new Map([
  ['', 'inboard'],
  ['/core', 'inboard/core'],
  ['/sdk-tools', 'inboard/sdk-tools'],
  ['/sdk-tools.js', 'inboard/sdk-tools.js'],
]);

/** Whether a specifier means the official package or a part of it. */
export function isOfficial(specifier: string): boolean {
  return specifier === OFFICIAL_PACKAGE || specifier.startsWith(`${OFFICIAL_PACKAGE}/`);
}

/** The specifier that replaces one of the official package; undefined if there is none. */
export function replacementFor(specifier: string): string | undefined {
  return isOfficial(specifier) ? ENTRY_POINTS.get(specifier.slice(OFFICIAL_PACKAGE.length)) : undefined;
}
