interface Field {
  runtime: { name: string; missing?: string | undefined };
  program: { name: string; isByTurns?: boolean; cannot?: (runtime: never) => string | false };
}
export function takeTurns<One extends Field>(
  fields: readonly One[],
  seed: number,
): Array<One & { waits?: string }>;
