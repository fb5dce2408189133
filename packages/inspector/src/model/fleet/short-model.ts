// Shortens the name of a model for display.

/** `sonnet-4-5` for `claude-sonnet-4-5-20250929`. A name that does not begin with `claude-` stays as it is. */
export function shortModel(model: string): string {
  return /^claude-(?<name>.+?)(?:-\d{8})?$/.exec(model)?.groups?.['name'] ?? model;
}
