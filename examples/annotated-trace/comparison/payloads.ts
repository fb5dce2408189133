// What the document says of the content of frames, beside the content that was recorded: field by field.
import { readFile } from 'node:fs/promises';
import { explainField, type KnownField } from './known-fields.ts';
import type { Run } from '../src/record-run.ts';

/** A frame that the document quotes. `where` is its section there and its name here. */
export type Payload = { section: string; where: string; content: unknown };
/** A field that differs, or is only on one side. */
export type FieldDifference = {
  where: string;
  path: string;
  document: unknown;
  ours: unknown;
  reason: KnownField | undefined;
};
/** What became of one quoted frame in one run: not in the run at all, or how many fields are the same and which are not. */
export type PayloadComparison = Omit<Payload, 'content'> & { same: number; differences?: FieldDifference[] };

type Json = Record<string, unknown>;
const FILE = new URL('../fixtures/document-payloads.md', import.meta.url);
const QUOTE = /^## (\d\.\d) (.+)\n+```json\n([^]*?)\n```/gm;

export async function readPayloads(): Promise<Payload[]> {
  const quotes = (await readFile(FILE, 'utf8')).matchAll(QUOTE);
  return [...quotes].map(([, section = '', where = '', json = '']) => {
    return { section, where, content: JSON.parse(json) as unknown };
  });
}

/** Compares every quoted frame with the first of its name in a run. */
export function comparePayloads(payloads: readonly Payload[], run: Run): PayloadComparison[] {
  return payloads.map(({ section, where, content }) => {
    const recorded = findContent(run, where);
    if (recorded === undefined) return { section, where, same: 0 };
    const [theirs, ours] = [flatten(fromPython(content)), flatten(recorded)];
    const paths = [...new Set([...theirs.keys(), ...ours.keys()])];
    const differing = paths.filter((path) => theirs.get(path) !== ours.get(path));
    const differences = differing.map((path): FieldDifference => {
      const field = { where, path, document: theirs.get(path), ours: ours.get(path) };
      return { ...field, reason: explainField(field, run) };
    });
    return { section, where, same: paths.length - differing.length, differences };
  });
}

/** The part of a recorded frame that the document quotes under this name. */
function findContent({ timeline }: Run, where: string): unknown {
  const [, layer, event = ''] = /^(\w+) (.+)$/.exec(where) ?? [];
  const isEnvelope = layer === 'envelope';
  const found = timeline.rows.find((row) => {
    const name = row.event.replace(/ reply$/, ' answer');
    if (isEnvelope) return row.layer === 'mcp' && name.endsWith(' answer') === event.endsWith(' answer');
    return row.layer === layer && name === event;
  });
  const frame = found?.frame as Json | undefined;
  const request = frame?.['request'] as Json | undefined;
  const response = frame?.['response'] as { response: Json } | undefined;
  if (layer === 'mcp') return request?.['message'] ?? response?.response['mcp_response'];
  if (!isEnvelope) return frame;
  // Only the envelope is meant, not the message in it.
  const message = '(a message)';
  if (request) return { ...frame, request: { ...request, message } };
  return { ...frame, response: { ...response, response: { mcp_response: message } } };
}

/** The Python SDK's objects, as the frames they were read from: a block has its type as a name, and None was not there. */
function fromPython(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPython);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  const { _type: type, ...rest } = Object.fromEntries(
    fields.map(([name, field]) => [name, fromPython(field)]),
  );
  if (type === 'SystemMessage') return rest['data'];
  if (type === 'ResultMessage') return { type: 'result', ...rest };
  if (type === 'AssistantMessage' || type === 'UserMessage')
    return { type: type === 'UserMessage' ? 'user' : 'assistant', message: rest };
  const block = String(type).replace('Block', '');
  return type ? { type: block.replace(/(?!^)[A-Z]/, '_$&').toLowerCase(), ...rest } : rest;
}

/** Every value by its path; what a list of words has is a path of its own, whatever its place. */
function flatten(value: unknown, path = '', found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return found.set(path, value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) found.set(path, isList ? '[]' : '{}');
  for (const [name, field] of entries) {
    if (isList && typeof field === 'string') found.set(`${path}[${field}]`, true);
    else flatten(field, path ? `${path}.${name}` : name, found);
  }
  return found;
}
