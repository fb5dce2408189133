// Makes a link that may start a CLI: dials, greets, and waits to be welcomed or refused. A time limit covers the answer to the
// greeting.
import { RemoteError } from '@inboard/core/errors.js';
import { FRAME } from '../wire/frame.js';
import { Link } from '../wire/link.js';
import { helloOf, readRefusal, readWelcome } from '../wire/messages.js';
import type { RemoteSite } from './connect-options.js';
import { dial } from './dial.js';
import { explainTlsFailure } from './explain-tls.js';

/** A link that may start a CLI. */
export interface Greeted {
  link: Link;
  version: string | undefined;
}

/** Makes a link. If it fails, rejects with a RemoteError and leaves nothing open. */
export async function greet(site: RemoteSite): Promise<Greeted> {
  const { duplex, words } = await dial(site);
  const link = new Link(duplex, { peer: site.name, idleMs: Math.max(site.idleMs, site.connectTimeoutMs) });
  const welcomed = new Promise<Greeted>((resolve, reject) => {
    link.onFrame = (kind, payload) => {
      try {
        if (kind === FRAME.refused) throw refusedBy(site, payload);
        if (kind !== FRAME.welcome)
          throw new RemoteError(
            'REMOTE_PROTOCOL',
            `What answers at ${site.name} is not "inboard remote serve"`,
          );
        const { version, idleMs } = readWelcome(payload);
        link.trust({ idleMs: site.idleMs, theirIdleMs: idleMs });
        resolve({ link, version });
      } catch (error) {
        reject(error);
      }
    };
    void link.ended.then((error) => reject(explain(site, error, words())));
  });
  link.sendJson(FRAME.hello, helloOf({ token: site.token, idleMs: site.idleMs }));
  const timer = setTimeout(() => {
    const message = `${site.name} did not answer the greeting within ${site.connectTimeoutMs} ms`;
    link.break(new RemoteError('REMOTE_LINK_LOST', message, { retryable: true, phase: 'launch' }));
  }, site.connectTimeoutMs);
  try {
    return await welcomed;
  } catch (error) {
    link.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function refusedBy({ name }: RemoteSite, payload: Buffer): RemoteError {
  const { code, message, retryable } = readRefusal(payload);
  return new RemoteError(code, `${name} refused: ${message}`, { phase: 'launch', retryable });
}

// A server that wants a certificate can still refuse it after the handshake, by ending the link. So the end of the link may
// be a TLS failure.
function explain({ name, tls }: RemoteSite, error: RemoteError | undefined, words: string): RemoteError {
  const refused = tls ? explainTlsFailure(name, error?.cause) : undefined;
  if (refused) return refused;
  const said = words === '' ? '' : `; it said: ${words}`;
  const message = `${error?.message ?? `${name} ended the link before the greeting`}${said}`;
  return new RemoteError(error?.code ?? 'REMOTE_LINK_LOST', message, {
    phase: 'launch',
    retryable: error?.retryable ?? true,
    cause: error?.cause,
  });
}
