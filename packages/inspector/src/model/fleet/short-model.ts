// The name of a model as people say it.

/** `sonnet-4-5` of `claude-sonnet-4-5-20250929`; anything else stays as it is. */
export function shortModel(model: string): string {
  return /^claude-(?<name>.+?)(?:-\d{8})?$/.exec(model)?.groups?.['name'] ?? model;
}
