// Reads a resource once. It calls the resource's reader and makes contents from the return value.
import { encodeJson } from '../result/describe-failure.js';
import { findMimeType } from '../result/binary-kind.js';
import { toBuffer } from '../result/content-helpers.js';
import type { McpRequestContext } from '../server/request-context.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { ReadResourceResult, RegisteredResourceEntry } from './resources.js';

/** Reads the resource that has this uri. An error of its reader is passed on. */
export async function readResource(
  entry: RegisteredResourceEntry,
  uri: string,
  context: McpRequestContext,
): Promise<ReadResourceResult> {
  const read = entry.read as (uri: URL, ...more: unknown[]) => unknown;
  const url = new URL(uri);
  const value = await (entry.isTemplate ? read(url, entry.match(uri), context) : read(url, context));
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
