// Uses a mailbox and an SMTP server by their addresses, as the program does; trusts what the environment of its process says.
import { deliver } from '../../app/mail-server.ts';
import { openMailbox } from '../../app/mailbox.ts';

const [imap = '', smtp = ''] = process.argv.slice(2);
const told: Record<string, string> = {};
const note = async (name: string, work: () => Promise<string>) => {
  told[name] = await work().catch((error: Error) => error.message);
};
await note('imap', async () => {
  const mailbox = openMailbox(new URL(imap));
  try {
    await mailbox.within('INBOX', (client) => client.append('INBOX', 'Subject: Encrypted\r\n\r\nHello.'));
    return (await mailbox.search('INBOX', {}))[0]?.subject ?? 'no mail';
  } finally {
    await mailbox.close().catch(() => {});
  }
});
await note('smtp', async () => {
  const envelope = { from: 'bo@inboard.example', to: ['cy@y.example'] };
  await deliver(new URL(smtp), { envelope, raw: 'Subject: Encrypted\r\n\r\nHello.' });
  return 'sent';
});
console.log(JSON.stringify(told));
