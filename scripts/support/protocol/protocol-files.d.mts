/** A frame of a recording, and what kind it is. */
export interface RecordedFrame {
  dir: 'in' | 'out';
  frame: Record<string, unknown>;
  kind: string;
  question: Record<string, unknown> | undefined;
  scene?: string;
  version?: string;
}
export function buildProtocolFiles(): Record<string, string>;
export function readAllRecordings(): RecordedFrame[];
