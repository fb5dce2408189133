/** A file that a page has written, a command that it has run, or what is printed by neither. */
export interface Step {
  kind: 'file' | 'command' | 'shown';
  name?: string;
  code?: string;
  command?: string;
  printed?: string;
}
export function readSteps(markdown: string): Step[];
export function walk(
  steps: readonly Step[],
  where: { folder: string; env: Record<string, string | undefined>; choose?: (step: Step) => boolean },
): Promise<void>;
