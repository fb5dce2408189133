// What programs in plain JavaScript write instead of the value they mean, and the official SDK lets pass: a truthy
// value for a flag, digits for a number, nothing at all as an entry. Taken for what they mean here; the caller is told.
import { isRecord } from '../util/guards.js';
import type { Options } from './options.js';

/** An option as it is meant; undefined where nothing is asked for. */
export function readLooseValue(name: string, value: unknown): unknown {
  if (FLAGS.has(name)) return typeof value === 'boolean' ? value : Boolean(value);
  switch (name as keyof Options) {
    case 'maxTurns':
      return value === Infinity ? undefined : readCount(value);
    case 'maxThinkingTokens':
      return readCount(value);
    case 'tools':
      return value === 'default' ? { type: 'preset', preset: 'claude_code' } : value;
    case 'outputFormat':
      return asksForNoSchema(value) ? undefined : value;
    case 'agents':
    case 'hooks':
      return dropEmptyEntries(value);
    case 'extraArgs':
      return isRecord(value) ? mapChanged(value, readArgument) : value;
    default:
      return value;
  }
}

// Not `allowDangerouslySkipPermissions`: a string such as 'false' must not open everything.
const FLAGS: ReadonlySet<string> = new Set<keyof Options>([
  'verbatimPrompts',
  'perTaskStopAffordance',
  'strictMcpConfig',
  'includeHookEvents',
  'continue',
  'forkSession',
  'persistSession',
  'enableFileCheckpointing',
  'debug',
  'includePartialMessages',
  'forwardSubagentText',
  'promptSuggestions',
  'agentProgressSummaries',
]);

function readCount(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

function readArgument(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function asksForNoSchema(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, schema } = value;
  return type === 'text' || (type === 'json_schema' && (schema === undefined || schema === null));
}

function dropEmptyEntries(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== null);
  return kept.length === Object.keys(value).length ? value : Object.fromEntries(kept);
}

function mapChanged(
  value: Record<string, unknown>,
  read: (entry: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, entry]) => [name, read(entry)] as const);
  return entries.every(([name, entry]) => entry === value[name]) ? value : Object.fromEntries(entries);
}
