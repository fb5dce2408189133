// What stands between a CLI and its model: a gateway that notes every request and passes it on, with TLS on request, and a
// proxy that notes which hosts were asked for. Both on loopback; nothing goes anywhere else.
import { readFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';

/** An untrusted certificate for 127.0.0.1, localhost and gateway.test, valid as an authority and for clients too. */
export const CERTIFICATE = fileURLToPath(new URL('../../fixtures/tls/gateway-cert.pem', import.meta.url));
/** Its key; it protects nothing. */
export const CERTIFICATE_KEY = fileURLToPath(new URL('../../fixtures/tls/gateway-key.pem', import.meta.url));

/** A request as it came. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The name in the client's certificate, if it showed one. */
  readonly client: string | undefined;
}

/** How a gateway answers. */
export interface GatewayOptions {
  /** With a certificate of its own. */
  tls?: ServerOptions;
  /** The path of the Messages API that a path stands for; undefined is answered with 400. */
  translate?: (path: string) => string | undefined;
}

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly seen: SeenRequest[];
}

/** Starts a gateway in front of a model. */
export async function startGateway(
  modelUrl: string,
  { tls, translate = (path) => path }: GatewayOptions = {},
): Promise<Gateway> {
  const seen: SeenRequest[] = [];
  const files = { cert: readFileSync(CERTIFICATE), key: readFileSync(CERTIFICATE_KEY) };
  const server = tls ? createTlsServer({ ...files, ...tls }) : createServer();
  server.on('request', (incoming, response) => {
    void readText(incoming).then((body) => {
      const { url: path = '', headers, method } = incoming;
      const peer = tls ? (incoming.socket as TLSSocket).getPeerCertificate() : undefined;
      seen.push({ path, headers, client: peer?.subject?.CN as string | undefined });
      const target = translate(path);
      if (target === undefined) {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { type: 'invalid_request_error', message: 'seen' } }));
        return;
      }
      const forwarded = target === path ? body : completeBody(body);
      const to = new URL(target, modelUrl);
      const length = String(Buffer.byteLength(forwarded));
      request(to, { method, headers: { ...headers, host: to.host, 'content-length': length } }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).end(forwarded);
    });
  });
  const port = await listen(server);
  return {
    seen,
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => close(server),
  };
}

// Clouds have the model in the path.
function completeBody(body: string): string {
  return JSON.stringify({ model: 'from-the-path', stream: true, ...(JSON.parse(body) as object) });
}

export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** The hosts that tunnels were asked for, and what proved who asks. */
  readonly tunnels: { host: string; authorization: string | undefined }[];
}

/** Starts a proxy whose tunnels all lead to one port, whatever host is asked for; without a port it refuses them. */
export async function startProxy(port?: number): Promise<Proxy> {
  const tunnels: Proxy['tunnels'] = [];
  const server = createServer();
  server.on('connect', (incoming, socket, head) => {
    // Either side may go away at any time.
    socket.on('error', () => {});
    tunnels.push({ host: incoming.url ?? '', authorization: incoming.headers['proxy-authorization'] });
    if (port === undefined) {
      socket.end('HTTP/1.1 502 Refused\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  return { port: await listen(server), tunnels, [Symbol.asyncDispose]: () => close(server) };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
