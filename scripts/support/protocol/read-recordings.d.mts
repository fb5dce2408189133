import type { RecordedFrame } from './protocol-files.mjs';

export const RECORDINGS: string;
export const INSPECTOR_RECORDINGS: readonly string[];
export function readRecordings(folder?: string): RecordedFrame[];
export function framesOf(text: string): RecordedFrame[];
