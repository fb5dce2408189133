// One mailbox over IMAP, for the tools and for the page. A connection that was lost is made again by the next call.
import { ImapFlow, type FetchMessageObject, type SearchObject } from 'imapflow';
import { simpleParser } from 'mailparser';
import { explainTls, readAddress } from './mail-server.ts';

export type Mailbox = ReturnType<typeof openMailbox>;
export type MailSummary = ReturnType<typeof summarize>;
export const SUMMARY = { uid: true, envelope: true, flags: true } as const;
const WHOLE = { ...SUMMARY, source: { maxLength: 25 * 1024 * 1024 } } as const;
const parse = (mail: Buffer) => simpleParser(mail, { maxHtmlLengthToParse: 200_000 }); // more may take minutes

/** Logs in; outside this machine never without encryption. */
export async function connect(url: URL): Promise<ImapFlow> {
  const { mustUpgrade, ...place } = readAddress(url, { plain: 143, encrypted: 993 });
  const client = new ImapFlow({ ...place, logger: false, ...(mustUpgrade && { doSTARTTLS: true }) });
  client.on('error', () => {}); // "close" follows; without a listener this event would end the process
  await client.connect().catch((error: unknown) => {
    client.close();
    throw explainTls(error, url);
  });
  return client;
}

export function openMailbox(url: URL) {
  let connecting: Promise<ImapFlow> | undefined;
  const forget = () => void (connecting = undefined);
  const use = (): Promise<ImapFlow> => {
    connecting ??= connect(url).then((client) => client.once('close', forget));
    connecting.catch(forget);
    return connecting;
  };

  /** Does something while the mailbox is open, one after the other. */
  const within = async <T>(box: string, work: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const client = await use();
    const lock = await client.getMailboxLock(box).catch((cause: unknown) => {
      throw new Error(`The mailbox "${box}" could not be opened`, { cause });
    });
    return await work(client).finally(() => lock.release());
  };

  return {
    within,
    async list() {
      const found = await (await use()).list({ statusQuery: { unseen: true } });
      return found.map(({ path, status, specialUse }) => ({ path, unread: status?.unseen ?? 0, specialUse }));
    },
    /** The newest first; the server does the searching. */
    search: (box: string, terms: SearchObject, limit = 50) =>
      within(box, async (client) => {
        await client.noop(); // a mailbox that stays open hears of new mail only when it asks
        const uids = await client.search({ all: true, ...terms }, { uid: true });
        if (!uids) throw new Error('The mail server refused this search; try other words');
        if (uids.length === 0) return [];
        const found = await client.fetchAll(uids.slice(-limit), SUMMARY, { uid: true });
        return found.map((mail) => summarize(box, mail)).toReversed();
      }),
    /** A mail, and the content of its attachments. What was written in HTML comes as text. */
    read: (box: string, uid: number) =>
      within(box, async (client) => {
        const found = await client.fetchOne(String(uid), WHOLE, { uid: true });
        if (!found || !found.source) throw new Error(`There is no mail ${uid} in ${box}; was it moved?`);
        const { text = '', messageId = '', references = [], attachments } = await parse(found.source);
        const { from, replyTo = from, cc } = found.envelope ?? {};
        const people = { replyTo: nameAll(replyTo), cc: nameAll(cc) };
        const more = { messageId, references: [references].flat(), text: text.slice(0, 300_000) }; // more is slow
        const files = attachments.map(({ filename = 'unnamed', contentType: type, content }, index) => {
          const name = plain(filename.replace(/[/\\]/g, '_').slice(0, 200));
          return { index, name, type, bytes: content.length, content };
        });
        const listed = files.map(({ content: _content, ...facts }) => facts);
        return { mail: { ...summarize(box, found), ...people, ...more, attachments: listed }, files };
      }),
    flag: (box: string, uid: number, flag: '\\Seen' | '\\Answered' | '$Forwarded') =>
      within(box, (client) => client.messageFlagsAdd(String(uid), [flag], { uid: true })),
    move: (box: string, uid: number, to: string) =>
      within(box, (client) => client.messageMove(String(uid), to, { uid: true })),
    close: async () => (await connecting)?.logout(),
  };
}

export function summarize(mailbox: string, { uid, envelope, flags }: FetchMessageObject) {
  const { from, to, subject = '(no subject)', date = 0 } = envelope ?? {};
  const sent = Number(new Date(date)) || 0; // a date that is none must not hide all the other mails
  const marks = { unread: !flags?.has('\\Seen'), answered: flags?.has('\\Answered') ?? false };
  const people = { from: nameAll(from), to: nameAll(to) };
  return { mailbox, uid, ...people, subject: plain(subject), date: new Date(sent).toISOString(), ...marks };
}

/** Without what breaks lines, reverses what is read, or is half a character. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

/** A name must not pass for an address, nor an address for several. */
function nameAll(all: { name?: string; address?: string }[] = []): string {
  const named = all.map(({ name = '', address = '' }) => {
    const words = plain(name.replace(/[",;:<>@\\()]/g, ' '));
    const place = plain(address.replace(/[\s",;<>\\()]/g, ''));
    return words ? `${words} <${place}>` : place;
  });
  return named.join(', ');
}
