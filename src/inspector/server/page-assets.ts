// The built page: its script and its style, as the build leaves them beside the package's code, and as they are sent.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { InspectorError } from '../../errors.js';
import type { Reply } from './http-reply.js';

/** What the page consists of. */
export interface PageAssets {
  script: string;
  style: string;
}

/** Beside the bundles, which lie in folders of `dist`; for the sources, in the checkout's own `dist`. */
function findBuilt(): string {
  const beside = fileURLToPath(new URL('../inspector/page/', import.meta.url));
  const ofCheckout = fileURLToPath(new URL('../../../dist/inspector/page/', import.meta.url));
  return !existsSync(beside) && existsSync(ofCheckout) ? ofCheckout : beside;
}

/** Reads the page from the folder it was built into; throws an InspectorError where it is not there. */
export function readPageAssets(given?: string): PageAssets {
  let folder = given ?? 'the package';
  try {
    // Found only now: where a bundler moved this code, importing it must not fail.
    folder = given ?? findBuilt();
    return {
      script: readFileSync(join(folder, 'page.js'), 'utf8'),
      style: readFileSync(join(folder, 'page.css'), 'utf8'),
    };
  } catch (cause) {
    throw new InspectorError(
      'INSPECTOR_PAGE_MISSING',
      `The inspector's page is not in ${folder}. Install the package again; in a checkout, run "npm run build".`,
      { cause },
    );
  }
}

/** Answers requests for one file of the page; it is compressed once. */
export function serveAsset(type: Reply['type'], text: string): (request: IncomingMessage) => Reply {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  let packed: Buffer | undefined;
  // The same address may be served by another version tomorrow: browsers ask each time, and get nothing again.
  const headers = { 'cache-control': 'no-cache', etag: tag, vary: 'accept-encoding' };
  return (request) => {
    if (request.headers['if-none-match'] === tag) return { status: 304, type, body: '', headers };
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return { status: 200, type, body: text, headers };
    packed ??= gzipSync(text, { level: 9 });
    return { status: 200, type, body: packed, headers: { ...headers, 'content-encoding': 'gzip' } };
  };
}
