import type { PagePart } from '../pages/cut-page.mjs';
import type { RecordedFrame } from './protocol-files.mjs';

export function buildPage(
  frames: readonly RecordedFrame[],
  launches: Record<string, { args: string[]; env: string[] }>,
): string;

/** How the page is cut. */
export const PROTOCOL_PARTS: readonly PagePart[];
