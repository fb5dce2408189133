// The world as the environment names it: a mailbox, a way to send, a model. Whatever it does not name is played on this machine.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryOptions } from 'inboard';
import { startOffline } from 'inboard/testing';
import { startDemoMailbox, startSink } from './mail-servers.ts';
import { answer } from './script.ts';

/** In the folder `data`; what belongs to the mailbox is in `folder` of the result. Whoever opens it closes it. */
export async function openWorld(data: string) {
  const { IMAP_URL, SMTP_URL, MAIL_ADDRESS, ANTHROPIC_API_KEY } = process.env;
  const demo = IMAP_URL ? undefined : await startDemoMailbox();
  mkdirSync(join(data, 'mail'), { recursive: true, mode: 0o700 });
  // The demonstration begins anew each time, beside what is kept of a real mailbox, and beside another that runs.
  const folder = demo ? mkdtempSync(join(data, 'demo-')) : join(data, 'mail');
  const url = demo?.url ?? new URL(IMAP_URL ?? '');
  const address = MAIL_ADDRESS ?? (demo ? 'bo@inboard.example' : decodeURIComponent(url.username));
  const sink = SMTP_URL
    ? undefined
    : await startSink(`${folder}/outbox`, (raw, to) => to.includes(address) && demo?.deliver(raw));
  const offline = ANTHROPIC_API_KEY
    ? undefined
    : await startOffline({ onExhausted: answer }, { folder: join(data, 'cli') });
  const smtpUrl = SMTP_URL ?? sink?.url ?? '';
  const options: QueryOptions = { ...offline?.options, cwd: folder };
  return {
    folder,
    url,
    smtpUrl,
    address,
    options,
    about: {
      address,
      model: offline ? 'a script, because there is no ANTHROPIC_API_KEY' : 'Claude',
      mailbox: demo ? 'a demonstration, because there is no IMAP_URL' : url.host,
      sending: sink
        ? `to the folder ${folder}/outbox, because there is no SMTP_URL`
        : `by ${new URL(smtpUrl).host}`,
      canArrive: Boolean(demo),
    },
    arrive: demo && (() => demo.arrive()),
    async close(): Promise<void> {
      await Promise.all([sink?.close(), demo?.close(), offline?.close({ verify: false })]);
      if (demo) rmSync(folder, { recursive: true, force: true });
    },
  };
}
