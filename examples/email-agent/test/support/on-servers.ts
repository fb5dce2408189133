// Runs the same tests on each mail server that there is.
import { after, before, describe, test } from 'node:test';
import { findServer, startDovecot, startEmbedded, type MailServer } from './mail-servers.ts';

export function onEachServer(define: (server: () => MailServer) => void): void {
  const dovecot = findServer('dovecot', 'dovecot-imapd');
  const kinds = {
    'the embedded server': startEmbedded,
    ...(dovecot && { Dovecot: () => startDovecot(dovecot) }),
  };
  for (const [name, start] of Object.entries(kinds))
    describe(`on ${name}`, () => {
      let server: MailServer;
      before(async () => (server = await start()));
      after(() => server.close());
      define(() => server);
    });
  if (!dovecot) test('on Dovecot', { skip: 'dovecot is not installed' });
}
