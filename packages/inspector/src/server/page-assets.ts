// The built page: its script and its style, as the build leaves them beside the package's code, and as they are sent.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { InspectorError } from '@inboard/core/errors.js';
import type { Reply } from './http-reply.js';

/** What a page consists of that stands alone: all of its script in one. */
export interface WholePage {
  readonly script: string;
  readonly style: string;
}

/** What the page consists of. */
export interface PageAssets extends WholePage {
  /** What is served, by name and compressed: `page.css`, `page.js`, and the parts that this loads when they are wanted. */
  readonly served: ReadonlyMap<string, Buffer>;
}

/** Beside the bundles, which lie in folders of `dist`; for the sources, in the checkout's own `dist`. */
function findBuilt(): string {
  // Not as `new URL('…', import.meta.url)`: bundlers take that for a file they have to find.
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, '..', 'inspector', 'page');
  const ofCheckout = join(here, '..', '..', '..', '..', 'dist', 'inspector', 'page');
  return !existsSync(beside) && existsSync(ofCheckout) ? ofCheckout : beside;
}

/** Reads the page from the folder it was built into; throws an InspectorError where it is not there. */
export function readPageAssets(given?: string): PageAssets {
  let folder = given ?? 'the package';
  try {
    // Found only now: where a bundler moved this code, importing it must not fail.
    folder = given ?? findBuilt();
    const files = new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.gz'))
        .map((name) => [name.slice(0, -'.gz'.length), readFileSync(join(folder, name))]),
    );
    return unpackAssets(files);
  } catch (cause) {
    throw new InspectorError(
      'INSPECTOR_PAGE_MISSING',
      `The inspector's page is not in ${folder}. Install the package again; in a bundled program, leave "inboard/inspector" out of the bundle (external); in a checkout, run "npm run build".`,
      { cause },
    );
  }
}

function unpackAssets(files: ReadonlyMap<string, Buffer>): PageAssets {
  for (const name of ['whole.js', 'page.js', 'page.css'])
    if (!files.has(name)) throw new Error(`${name}.gz is missing`);
  const unpack = (name: string): string => gunzipSync(files.get(name) as Buffer).toString();
  return {
    // Only for a page that stands alone.
    get script() {
      return unpack('whole.js');
    },
    get style() {
      return unpack('page.css');
    },
    served: new Map([...files].filter(([name]) => name !== 'whole.js')),
  };
}

/** Answers requests for one file of the page, which is compressed already. */
export function serveAsset(type: Reply['type'], packed: Buffer): (request: IncomingMessage) => Reply {
  const tag = `"${createHash('sha256').update(packed).digest('base64url').slice(0, 22)}"`;
  // The same address may be served by another version tomorrow: browsers ask each time, and get nothing again.
  const headers = { 'cache-control': 'no-cache', etag: tag, vary: 'accept-encoding' };
  return (request) => {
    if (request.headers['if-none-match'] === tag) return { status: 304, type, body: '', headers };
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return { status: 200, type, body: gunzipSync(packed), headers };
    return { status: 200, type, body: packed, headers: { ...headers, 'content-encoding': 'gzip' } };
  };
}
