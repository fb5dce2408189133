// Mail that leaves. Only this file can send, and it sends what a person has read and agreed to.
import type { Approvals, HandlerExtra } from 'inboard';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mailbox } from './mailbox.ts';

/** What the tools of every conversation work with; `address` is the user's own. */
export type Desk = { mailbox: Mailbox; approvals: Approvals; smtpUrl: string; address: string };
type Draft = { to: string; subject: string; text: string };
type Answered = { mailbox: string; uid: number; messageId: string; references: string[] };

/** Checks what the agent, or the person, has written. */
export function readDraft({ to, subject, text }: Record<string, unknown>): Draft {
  for (const [name, value] of Object.entries({ to, subject, text }))
    if (typeof value !== 'string' || value.trim() === '') throw new Error(`A mail needs "${name}"`);
  const draft = { to, subject, text } as Draft;
  if (/[\r\n]/.test(draft.to + draft.subject)) throw new Error('"to" and "subject" are one line each');
  const wrong = draft.to.split(',').find((one) => !/^[^@]*[^@\s]@[^@\s]+$/.test(one.trim()));
  if (wrong !== undefined) throw new Error(`"${wrong}" is no mail address`);
  return draft;
}

/** Waits for a person, as long as it takes, and tells the agent what became of its draft. */
export async function sendOnceApproved(draft: Draft, extra: HandlerExtra<Desk>, answered?: Answered) {
  const { mailbox, approvals, smtpUrl, address } = extra.context;
  const title = `${answered ? 'Reply' : 'Mail'} to ${draft.to}`;
  const decision = await approvals.ask({ title, input: { ...readDraft(draft), ...answered } }, extra);
  if (decision.behavior === 'deny') return `Not sent. The user says: ${decision.message}`;
  const mail = readDraft(decision.updatedInput ?? draft);
  const sent = (await mailbox.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path ?? 'Sent';
  // A call that is made again after a crash has the same key: what was sent is not sent twice.
  const messageId = `<${extra.callKey}@${address.split('@').at(-1)}>`;
  const before = await mailbox.search(sent, { header: { 'message-id': messageId } });
  if (before.length === 0) {
    const inReplyTo = answered?.messageId;
    const thread = answered && { inReplyTo, references: [...answered.references, answered.messageId] };
    const composer = new MailComposer({ ...mail, ...thread, from: address, messageId }).compile();
    const raw = await composer.build();
    await createTransport(smtpUrl).sendMail({ envelope: composer.getEnvelope(), raw });
    await mailbox.within(sent, (client) => client.append(sent, raw, ['\\Seen']));
  }
  if (answered) await mailbox.flag(answered.mailbox, answered.uid, '\\Answered');
  return { sent: mail, note: 'This is what was sent: the user may have changed it.' };
}
