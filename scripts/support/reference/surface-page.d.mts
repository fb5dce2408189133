/** The text of docs/surface.md; `changes` is what packages/cli/src/migrate/surface-changes.ts exports. */
export function buildSurfacePage(changes: object): string;
/** The names with a reason that the main entry point does not export. */
export function listIdleReasons(): string[];
