// Makes resources ready to be listed, matches uris with them, and reads them.
import { findMimeType } from '../result/binary-kind.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { encodeJson } from '../result/describe-failure.js';
import { toBuffer } from '../result/content-helpers.js';
import type {
  ReadResourceResult,
  ResourceContext,
  UriVariables,
  ResourceDefinition,
  UriTemplate,
  RegisteredResourceEntry,
} from './resources.js';

/** Makes a definition ready to be listed and read. */
export function compileResource(definition: ResourceDefinition): RegisteredResourceEntry {
  const { name, uri, read, ...metadata } = definition;
  const text = typeof uri === 'string' ? uri : uri.uriTemplate.toString();
  const isTemplate = typeof uri !== 'string' || /\{[^}]+\}/.test(uri);
  return {
    listing: { uri: text, name, ...metadata },
    isTemplate,
    match: createMatcher(uri, isTemplate),
    read,
    enabled: true,
  };
}

/** Reads the resource if the uri is its own; else undefined. */
export function readResource(
  entry: RegisteredResourceEntry,
  uri: string,
  context: ResourceContext,
): Promise<ReadResourceResult> | undefined {
  const variables = entry.match(uri);
  if (!variables || !entry.enabled) return undefined;
  return readMatched(entry, { uri, variables, context });
}

async function readMatched(
  entry: RegisteredResourceEntry,
  { uri, variables, context }: { uri: string; variables: UriVariables; context: ResourceContext },
): Promise<ReadResourceResult> {
  const read = entry.read as (uri: URL, ...more: unknown[]) => unknown;
  const url = new URL(uri);
  const value = await (entry.isTemplate ? read(url, variables, context) : read(url, context));
  return toReadResult(value, uri, entry.listing.mimeType);
}

function toReadResult(value: unknown, uri: string, mimeType: string | undefined): ReadResourceResult {
  if (typeof value === 'string') return { contents: [withoutUndefined({ uri, mimeType, text: value })] };
  if (value instanceof Uint8Array) {
    const kind = mimeType ?? findMimeType(value) ?? 'application/octet-stream';
    return { contents: [{ uri, mimeType: kind, blob: toBuffer(value).toString('base64') }] };
  }
  if (typeof value === 'object' && value !== null && Array.isArray((value as ReadResourceResult).contents)) {
    return value as ReadResourceResult;
  }
  return { contents: [{ uri, mimeType: mimeType ?? 'application/json', text: encodeJson(value ?? null) }] };
}

function createMatcher(uri: string | UriTemplate, isTemplate: boolean): RegisteredResourceEntry['match'] {
  if (typeof uri !== 'string') return (candidate) => uri.uriTemplate.match(candidate);
  if (!isTemplate) return (candidate) => (candidate === uri ? {} : null);
  const names: string[] = [];
  const source = uri
    .split(/(\{[^}]+\})/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(part.slice(1, -1).replace(/^[+#/.]|\*$/g, ''));
      // RFC 6570: `{+path}` may contain slashes, `{name}` may not.
      return part.startsWith('{+') || part.endsWith('*}') ? '(.+)' : '([^/]+)';
    })
    .join('');
  const pattern = new RegExp(`^${source}$`);
  return (candidate) => {
    const found = pattern.exec(candidate);
    if (!found) return null;
    return Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? '')]));
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
