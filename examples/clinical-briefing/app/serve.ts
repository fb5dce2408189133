// The page: a list of records, and one briefing as it is written. Only for this machine.
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { HERE, openDesk } from './desk.js';

const FILES: Record<string, string> = { '': 'page.html', 'page.js': 'page.js', 'page.css': 'page.css' };
const TYPES: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
};
const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
const desk = await openDesk(console.error);

async function answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse) {
  const { host = '', origin = `http://${host}` } = headers;
  const type = (name: string) => response.setHeader('content-type', `${TYPES[name]}; charset=utf-8`);
  response.setHeader('content-security-policy', "default-src 'self'; img-src data:; frame-ancestors 'none'");
  // A page of another site can neither reach this server under a name of its own nor start work here.
  if (!LOCAL.test(host) || origin !== `http://${host}`) return response.writeHead(403).end();
  const names = (await readdir(join(HERE, 'patients'))).map((file) => file.replace('.json', ''));
  const fileOf = (name: string) => join(HERE, 'patients', `${name}.json`);
  const [, path = '', wanted = ''] = url.split('/');
  const name = names.find((each) => each === wanted);
  if (method === 'POST' && path === 'briefings' && name) return sendBriefing(fileOf(name), response);
  type('json');
  const list = names.map(async (each) => ({ id: each, ...(await desk.readPatient(fileOf(each))) }));
  if (path === 'patients') return response.end(JSON.stringify(await Promise.all(list)));
  const file = FILES[path];
  if (!file) return response.writeHead(404).end();
  type(file.slice(5));
  return response.end(await readFile(join(HERE, 'public', file)));
}

/** Sends what happens, one line of JSON for each event; a page that is closed cancels its briefing. */
async function sendBriefing(file: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const send = (event: object): void => void response.write(`${JSON.stringify(event)}\n`);
  response.on('close', () => gone.abort());
  try {
    const { view } = await desk.brief(file, { signal: gone.signal, onProgress: send });
    send({ type: 'briefing', ...view });
  } catch (error) {
    send({ type: 'failed', why: String(error) });
  }
  response.end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
const port = process.env['PORT'] ?? '4397';
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    void desk[Symbol.asyncDispose]();
  });
