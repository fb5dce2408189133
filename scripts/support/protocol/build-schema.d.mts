import type { Schema } from '@cfworker/json-schema';
import type { RecordedFrame } from './protocol-files.mjs';

export function definitionOf(kind: string, frame: unknown): { name: string; part: unknown } | undefined;
export function buildSchema(frames: readonly RecordedFrame[]): Schema & { $defs: Record<string, Schema> };
export function formatSchema(schema: Schema): string;
