// A plain static server on loopback: files as they lie there, index.html for a folder, 404.html for the rest.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join, normalize, sep } from 'node:path';

const KINDS = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Serves a folder below `base`; the caller closes it. */
export async function serveFolder(folder, { base = '/', port = 0 } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const wanted = findFile(folder, base, decodeURIComponent(pathname));
    if (wanted?.redirect) {
      response.writeHead(301, { location: `${pathname}/` }).end();
      return;
    }
    const file = wanted?.file ?? join(folder, '404.html');
    response.writeHead(wanted === undefined ? 404 : 200, {
      'content-type': KINDS[extname(file)] ?? 'application/octet-stream',
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function findFile(folder, base, pathname) {
  if (!pathname.startsWith(base)) return undefined;
  const path = normalize(join(folder, pathname.slice(base.length)));
  if (path !== folder && !path.startsWith(folder.replace(/[/\\]$/, '') + sep)) return undefined;
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isDirectory()) return { file: path };
  if (!pathname.endsWith('/')) return { redirect: true };
  const index = join(path, 'index.html');
  return existsSync(index) ? { file: index } : undefined;
}
