// Mail that leaves. Only this file can send, and it sends what a person has read and agreed to.
import type { Approvals, HandlerExtra } from 'inboard';
import MailComposer from 'nodemailer/lib/mail-composer';
import { deliver } from '../app/mail-server.ts';
import type { Mailbox } from '../app/mailbox.ts';

/** What the tools of every conversation work with; `address` is the user's own. */
export type Desk = { mailbox: Mailbox; approvals: Approvals; smtpUrl: string; address: string };
type Draft = { to: string; cc?: string | undefined; subject: string; text: string };
type Marked = { mailbox: string; uid: number; mark: '\\Answered' | '$Forwarded' };
/** The mail that is answered or passed on, how it is marked then, and whether its attachments go along. */
export type Earlier = Marked & { thread?: object; attachments?: object[] };

/** Checks what the agent, or the person, has written. */
export function readDraft({ to, cc, subject, text }: Record<string, unknown>): Draft {
  const draft = { to, ...(cc ? { cc } : {}), subject, text } as Draft;
  for (const [name, value] of Object.entries(draft))
    if (typeof value !== 'string' || value.trim() === '') throw new Error(`A mail needs "${name}"`);
  const people = draft.cc ? `${draft.to},${draft.cc}` : draft.to;
  // With a sign that turns what follows around, an address looks like another one to whoever agrees.
  if (/[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(people + draft.subject))
    throw new Error('"to", "cc" and "subject" are one line each, without a sign that cannot be seen');
  const wrong = people.split(',').find((one) => !/^[^@;]*[^@\s]@[^@\s;]+$/.test(one.trim()));
  if (wrong !== undefined) throw new Error(`"${wrong}" is no mail address`);
  return draft;
}

/** Waits for a person, as long as it takes, and tells the agent what became of its draft. */
export async function sendOnceApproved(draft: Draft, extra: HandlerExtra<Desk>, earlier?: Earlier) {
  const { mailbox, approvals, smtpUrl, address } = extra.context;
  const { [earlier?.mark ?? '']: what = 'Mail' } = { '\\Answered': 'Reply', $Forwarded: 'Forward' };
  const asked = { title: `${what} to ${draft.to}`, input: { ...readDraft(draft), ...earlier } };
  const decision = await approvals.ask(asked, extra);
  if (decision.behavior === 'deny') return `Not sent. The user says: ${decision.message}`;
  const mail = readDraft(decision.updatedInput ?? draft);
  const sent = (await mailbox.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path ?? 'Sent';
  // A call that is made again after a crash has the same key: what was sent is not sent twice.
  const messageId = `<${extra.callKey}@${address.split('@').at(-1)}>`;
  const before = await mailbox.search(sent, { header: { 'message-id': messageId } });
  if (before.length === 0) {
    // Read again, and not taken from the draft: nothing but what came with that mail can go along.
    const { files } = earlier?.attachments ? await mailbox.read(earlier.mailbox, earlier.uid) : { files: [] };
    const attachments = files.map((file) => ({ ...file, filename: file.name, contentType: file.type }));
    const whole = { ...mail, ...earlier?.thread, attachments, from: address, messageId };
    const composer = new MailComposer(whole).compile();
    const raw = await composer.build();
    await deliver(new URL(smtpUrl), { envelope: composer.getEnvelope(), raw });
    await mailbox.within(sent, (client) => client.append(sent, raw, ['\\Seen']));
  }
  if (earlier) await mailbox.flag(earlier.mailbox, earlier.uid, earlier.mark);
  return { sent: mail, note: 'This is what was sent: the user may have changed it.' };
}
