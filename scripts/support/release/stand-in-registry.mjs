// A registry on loopback that takes one package and serves it again, so that `npm publish` and `npm install` can be tested
// without the real one. It keeps everything in memory, and trusts every client.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/** Starts it with the given packages, each a manifest and a tarball. The caller closes it. */
export async function startRegistry(given = []) {
  const packages = new Map();
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status = 200, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  for (const { manifest, tarball } of given)
    add(
      manifest.name,
      { 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: manifest } },
      tarball,
    );

  function add(name, document, tarball) {
    for (const version of Object.values(document.versions)) {
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      // What the publisher says of its own tarball must be true.
      if (version.dist?.integrity !== undefined && version.dist.integrity !== integrity)
        throw new Error(`${name} was sent with a wrong integrity`);
      version.dist = { ...version.dist, integrity, tarball: `${url}/${name}/-/${version.version}.tgz` };
    }
    packages.set(name, { document: { name, ...document }, tarball });
  }

  async function answer(request) {
    const path = decodeURIComponent(new URL(request.url, url).pathname).slice(1);
    if (request.method === 'PUT') {
      const { _attachments: attachments, ...document } = JSON.parse(await readAll(request));
      const [attachment] = Object.values(attachments);
      add(path, document, Buffer.from(attachment.data, 'base64'));
      return { status: 201, body: '{"ok":true}' };
    }
    const [name] = path.split('/-/');
    const found = packages.get(name);
    if (found === undefined) return { status: 404, body: '{"error":"not found"}' };
    return { body: path.includes('/-/') ? found.tarball : JSON.stringify(found.document) };
  }

  return {
    url,
    /** What was published under a name: its document, and the tarball. */
    read: (name) => packages.get(name),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
