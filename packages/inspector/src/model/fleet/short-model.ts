// Shortens the name of a model for display.

/** `sonnet-4-5` for `claude-sonnet-4-5-20250929`; other names stay as they are. */
export function shortModel(model: string): string {
  return /^claude-(?<name>.+?)(?:-\d{8})?$/.exec(model)?.groups?.['name'] ?? model;
}
