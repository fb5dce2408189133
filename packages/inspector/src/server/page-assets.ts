// Reads the built page, its script and its style, which the build puts beside the package's code, and answers requests for
// them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { InspectorError } from '@inboard/core/errors.js';
import type { HttpReply } from './http-reply.js';

/** The parts of a self-contained page, with the whole script in one text. */
export interface WholePage {
  readonly script: string;
  readonly style: string;
}

/** The parts of the page. */
export interface PageAssets extends WholePage {
  /** The served files by name, compressed: `page.css`, `page.js`, and the parts that the script loads on use. */
  readonly served: ReadonlyMap<string, Buffer>;
}

/** The folder of the built page: beside the bundles in `dist`, or, when the sources run, in the `dist` of the checkout. */
function findBuilt(): string {
  // Not `new URL('…', import.meta.url)`, which bundlers treat as a file that they must find.
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, '..', 'inspector', 'page');
  const ofCheckout = join(here, '..', '..', '..', '..', 'dist', 'inspector', 'page');
  return !existsSync(beside) && existsSync(ofCheckout) ? ofCheckout : beside;
}

/** Reads the page from the folder it was built into; throws an InspectorError if it is not there. */
export function readPageAssets(given?: string): PageAssets {
  let folder = given ?? 'the package';
  try {
    // Looked up only now, because importing this file must not fail where a bundler has moved it.
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
    // Read on use, because only a self-contained page needs it.
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
export function serveAsset(type: HttpReply['type'], packed: Buffer): (request: IncomingMessage) => HttpReply {
  const tag = `"${createHash('sha256').update(packed).digest('base64url').slice(0, 22)}"`;
  // Another version may serve the same address later, so browsers ask each time. If nothing changed, they get no body.
  const headers = { 'cache-control': 'no-cache', etag: tag, vary: 'accept-encoding' };
  return (request) => {
    if (request.headers['if-none-match'] === tag) return { status: 304, type, body: '', headers };
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return { status: 200, type, body: gunzipSync(packed), headers };
    return { status: 200, type, body: packed, headers: { ...headers, 'content-encoding': 'gzip' } };
  };
}
