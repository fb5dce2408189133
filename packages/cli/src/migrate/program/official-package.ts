// The official package by its names, and what stands for it here.

/** The package that programs are moved from. */
export const OFFICIAL_PACKAGE = '@anthropic-ai/claude-agent-sdk';

// By what follows the package's name. Everything else it has is for its vendor's own services, or a file of its inside.
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

/** What stands here for a specifier of the official package; undefined where nothing does. */
export function replacementFor(specifier: string): string | undefined {
  return isOfficial(specifier) ? ENTRY_POINTS.get(specifier.slice(OFFICIAL_PACKAGE.length)) : undefined;
}
