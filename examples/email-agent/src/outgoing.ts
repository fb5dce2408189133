// Mail that leaves. Only this file can send, and it sends what a person has read and agreed to.
import type { Approvals, HandlerExtra } from 'inboard';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { explainTls, readAddress } from '../app/mail-server.ts';
import type { Mailbox } from '../app/mailbox.ts';

/** What the tools of every conversation work with; `address` is the user's own. */
export type Desk = { mailbox: Mailbox; approvals: Approvals; smtpUrl: string; address: string };
type Draft = { to: string; cc?: string | undefined; subject: string; text: string };
type Place = { mailbox: string; uid: number };
/** The mail that is answered, or the one that is passed on. */
type Earlier =
  | (Place & { as: 'reply'; messageId: string; references: string[] })
  | (Place & { as: 'forward'; attachments: object[] });

/** Checks what the agent, or the person, has written. */
export function readDraft({ to, cc = '', subject, text }: Record<string, unknown>): Draft {
  for (const [name, value] of Object.entries({ to, subject, text }))
    if (typeof value !== 'string' || value.trim() === '') throw new Error(`A mail needs "${name}"`);
  if (typeof cc !== 'string') throw new Error('"cc" is a text');
  const draft = { to, subject, text, ...(cc.trim() && { cc }) } as Draft;
  const { cc: copies = '' } = draft;
  if (/[\r\n]/.test(draft.to + copies + draft.subject))
    throw new Error('"to", "cc" and "subject" are one line each');
  const all = [draft.to, ...(copies ? [copies] : [])].flatMap((people) => people.split(','));
  const wrong = all.find((one) => !/^[^@;]*[^@\s]@[^@\s;]+$/.test(one.trim()));
  if (wrong !== undefined) throw new Error(`"${wrong}" is no mail address`);
  return draft;
}

/** Waits for a person, as long as it takes, and tells the agent what became of its draft. */
export async function sendOnceApproved(draft: Draft, extra: HandlerExtra<Desk>, earlier?: Earlier) {
  const { mailbox, approvals, address } = extra.context;
  const what = { mail: 'Mail', reply: 'Reply', forward: 'Forward' }[earlier?.as ?? 'mail'];
  const title = `${what} to ${draft.to}`;
  const decision = await approvals.ask({ title, input: { ...readDraft(draft), ...earlier } }, extra);
  if (decision.behavior === 'deny') return `Not sent. The user says: ${decision.message}`;
  const mail = readDraft(decision.updatedInput ?? draft);
  const sent = (await mailbox.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path ?? 'Sent';
  // A call that is made again after a crash has the same key: what was sent is not sent twice.
  const messageId = `<${extra.callKey}@${address.split('@').at(-1)}>`;
  const before = await mailbox.search(sent, { header: { 'message-id': messageId } });
  if (before.length === 0) {
    const composer = new MailComposer({ ...mail, ...(await join(earlier)), from: address, messageId }).compile();
    const raw = await composer.build();
    await send({ envelope: composer.getEnvelope(), raw });
    await mailbox.within(sent, (client) => client.append(sent, raw, ['\\Seen']));
  }
  const mark = earlier?.as === 'reply' ? '\\Answered' : '$Forwarded';
  if (earlier) await mailbox.flag(earlier.mailbox, earlier.uid, mark);
  return { sent: mail, note: 'This is what was sent: the user may have changed it.' };

  /** The headers of a thread, or the attachments that are passed on: those that the person was shown. */
  async function join(one: Earlier | undefined) {
    if (!one) return {};
    if (one.as === 'reply')
      return { inReplyTo: one.messageId, references: [...one.references, one.messageId] };
    const { files } = await mailbox.read(one.mailbox, one.uid);
    return { attachments: files.map(({ name: filename, type: contentType, content }) => ({ filename, contentType, content })) };
  }

  async function send(mailToSend: { envelope: object; raw: Buffer }): Promise<void> {
    const url = new URL(extra.context.smtpUrl);
    const { mustUpgrade, auth, ...place } = readAddress(url, { plain: 587, encrypted: 465 });
    const transport = createTransport({ ...place, requireTLS: mustUpgrade, ...(auth.user && { auth }) });
    await transport.sendMail(mailToSend as never).catch((error: unknown) => {
      throw explainTls(error, url);
    });
  }
}
