export function runTogether(
  play: (handler: () => Promise<void>) => Promise<unknown>,
  limitMs?: number,
): Promise<string>;
