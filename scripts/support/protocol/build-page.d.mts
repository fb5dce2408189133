import type { RecordedFrame } from './protocol-files.mjs';

export function buildPage(
  frames: readonly RecordedFrame[],
  launches: Record<string, { args: string[]; env: string[] }>,
): string;
