// The page: a list of records, and one briefing as it is written. Only for this machine.
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { HERE, openDesk } from './desk.js';

const FILES: Record<string, string> = { '': 'page.html', 'page.js': 'page.js', 'page.css': 'page.css' };
const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
const PATIENTS = process.env['PATIENTS_DIR'] ?? join(HERE, 'patients');
const desk = await openDesk(console.error);

async function answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse) {
  const { host = '', origin = `http://${host}` } = headers;
  response.setHeader('content-security-policy', "default-src 'self'; img-src data:; frame-ancestors 'none'");
  // A page of another site can neither reach this server under a name of its own nor start work here.
  if (!LOCAL.test(host) || origin !== `http://${host}`) return response.writeHead(403).end();
  const [, path = '', wanted = ''] = url.split('/').map((part) => decodeURIComponent(part));
  const records = (await readdir(PATIENTS)).filter((file) => file.endsWith('.json'));
  if (method === 'POST' && path === 'briefings' && records.includes(wanted))
    return sendBriefing(join(PATIENTS, wanted), response);
  if (path === 'patients') return response.end(JSON.stringify(await Promise.all(records.map(list))));
  const file = FILES[path];
  if (!file) return response.writeHead(404).end();
  response.setHeader('content-type', TYPES[file.slice(5)] ?? '');
  return response.end(await readFile(join(HERE, 'public', file)));
}

/** A record for the list. One that cannot be read is there too, with the reason. */
async function list(id: string) {
  const broken = (error: unknown) => ({ name: id, reason: String(error), medications: [], labs: [] });
  return { id, ...(await desk.readPatient(join(PATIENTS, id)).catch(broken)) };
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
