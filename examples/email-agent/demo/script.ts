// What answers when there is no key: a script that looks at each request as a model would, and says that it is none.
import { text, toolUse, type ModelContext } from 'inboard/testing';

type Mail = {
  uid: number;
  unread: boolean;
  from: string;
  subject: string;
  text: string;
  attachments: { name: string }[];
  mails: Mail[];
};
const HELP = `Try "check my email", "what is unread?", "find quote", "read the mail from Tomas", "what is in the attachment of the mail from
Nadia?", "reply to Ida" or "write to ida@berg.example".`;

export function answer({ prompt, toolResults, answers, messages }: ModelContext) {
  const hasSpoken = messages.some(({ role, content }) => {
    return (
      role === 'assistant' && (typeof content === 'string' || content.some(({ type }) => type === 'text'))
    );
  });
  const say = (words: string) => text(hasSpoken ? words : `I am a script, not a model. ${words}`);
  const use = (name: string, input: object) => toolUse(`mcp__email-api__email_${name}`, { ...input });
  const wants = (words: RegExp) => words.test(prompt);
  const isAboutOne = wants(/\b(read|reply|answer|attach|asks|file|forward|summari[sz]e)/i);
  const named = /\b(?:from|to|find|about|search(?: for)?)\s+["“]?([\p{L}\d@.-]+)/iu.exec(prompt)?.[1];
  const forward = (uid: number, to: string) =>
    use('draftForward', { uid, to, text: 'For your information.\n\nBo' });
  // What a stop has cut off is no answer to what the person says next.
  const news = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const isStopped = JSON.stringify(news).includes('"[Request interrupted by user');
  const last = toolResults.length > 0 && !isStopped ? answers.at(-1) : undefined;

  if (!last) {
    const uid = /\bmail (\d+)/i.exec(prompt)?.[1];
    if (uid && wants(/\bforward\b/i) && named?.includes('@')) return forward(Number(uid), named);
    if (uid) return use('read', { uid: Number(uid) });
    if (wants(/\bwrite to\b/i) && named?.includes('@'))
      return use('draftMail', { to: named, subject: 'Hello', text: `Hello,\n\n(${prompt})\n\nBo` });
    if (wants(/\bcheck\b.*\be?mail/i)) return use('getInbox', { limit: 5 });
    if (wants(/\bunread|\bnew\b/i)) return use('search', { unread: true });
    if (named) return use('search', isAboutOne ? { from: named } : { text: named });
    return isAboutOne ? use('search', {}) : say(HELP);
  }
  // A call that ended with an earlier process is made again.
  const cutOff = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const call = cutOff.find(
    ({ id }) => id === last.toolUseId && last.text.startsWith('[Tool call interrupted'),
  );
  if (call) return toolUse(last.name, call['input'] as Record<string, unknown>);
  if (last.isError) return say(`That did not work: ${last.text}`);
  const tool = last.name.replace('mcp__email-api__email_', '');
  if (tool === 'move') return say('I read it and filed it under Invoices.');
  if (tool.startsWith('draft'))
    return say(
      last.text.startsWith('Not sent') ? `I understand. ${last.text}` : 'It was sent, as you left it.',
    );
  if (tool === 'readAttachment')
    return say(
      `The attachment:\n\n${(safeParse(last.text)?.text ?? 'a picture, which I cannot see') as string}`,
    );
  const found = safeParse(last.text) as Mail | undefined;
  if (tool === 'getInbox') {
    const lines = found?.mails.map(
      (mail) => `- ${mail.subject} (${mail.from})${mail.unread ? ', unread' : ''}`,
    );
    return say(`The newest in your inbox:\n\n${lines?.join('\n')}`);
  }
  if (tool === 'search') {
    const [first] = found?.mails ?? [];
    if (!first) return say('I found no such mail.');
    if (isAboutOne) return use('read', { uid: first.uid });
    return say(
      `I found ${found?.mails.length}:\n\n${found?.mails.map((mail) => `- ${mail.subject} (${mail.from})`).join('\n')}`,
    );
  }
  if (!found) return say(last.text);
  const { uid, subject, from, text: words } = found;
  if (wants(/attach/i) && found.attachments.length > 0) return use('readAttachment', { uid, index: 0 });
  if (wants(/\bfile\b/i)) return use('move', { uid, to: 'Invoices' });
  const name = from.split(' ')[0];
  if (wants(/\b(reply|answer|asks)/i))
    return use('draftReply', {
      uid,
      text: `Hello ${name},\n\nthank you for your mail about "${subject}". I will see to it and write to you tomorrow.\n\nBo`,
    });
  return say(`${from} writes about "${subject}":\n\n${words.trim().slice(0, 400)}`);
}

function safeParse(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
