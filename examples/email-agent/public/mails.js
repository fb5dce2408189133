// The mailboxes, the list of mails, the mail that is open, and what the listeners did.
import { say } from './chat.js';
import { $, ask, copy, notify, refill, show } from './dom.js';

let box = { path: 'INBOX' };
let open;

export async function showMails() {
  const text = $('terms').value.trim();
  const mails = await ask(`/api/mails/${encodeURIComponent(box.path)}?text=${encodeURIComponent(text)}`);
  const rows = mails.map((mail) => {
    const { uid, from, to, subject, date, unread, answered } = mail;
    // What lies in Sent is all by the same person.
    const who = box.specialUse === '\\Sent' ? `To ${shortNames(to)}` : shortNames(from);
    const row = copy('mail-row', { who, subject, time: shortTime(date) });
    row.className = [unread && 'unread', answered && 'answered'].filter(Boolean).join(' ');
    const button = row.querySelector('button');
    button.dataset.key = `${box.path} ${uid}`;
    button.setAttribute('aria-current', String(open === button.dataset.key));
    button.onclick = () => openMail(mail).catch(notify);
    return row;
  });
  refill($('mails'), rows.length > 0 ? rows : [copy('no-mail')]);
  return mails;
}

export function showBoxes(mailboxes) {
  const buttons = mailboxes.map((each) => {
    const { path, unread } = each;
    const button = copy('box', { name: path === 'INBOX' ? 'Inbox' : path, unread: unread || '' });
    button.dataset.key = path;
    button.setAttribute('aria-pressed', String(path === box.path));
    button.onclick = () => {
      box = each;
      showBoxes(mailboxes);
      showMails().catch(notify);
    };
    return button;
  });
  refill($('boxes'), buttons);
}

/** Shows a mail. Only a person's click marks it as read. */
export async function openMail({ uid }, { byPerson = true } = {}) {
  const at = `${encodeURIComponent(box.path)}/${uid}`;
  const mail = await ask(`/api/mails/${at}`);
  open = `${box.path} ${uid}`;
  const when = new Date(mail.date).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const shown = copy('open-mail', { ...mail, when, cc: mail.cc && `, copy to ${mail.cc}` });
  shown.querySelector('.files').append(...linkFiles(at, mail.attachments));
  shown.querySelector('.actions').hidden = box.path !== 'INBOX';
  for (const button of shown.querySelectorAll('[data-say]'))
    button.onclick = () => (show('chat'), say(`${button.dataset.say} mail ${uid}.`));
  $('mail').replaceChildren(...shown.children);
  if (byPerson) show('desk');
  if (byPerson && mail.unread) await ask(`/api/mails/${at}/seen`, {});
  await showMails();
}

const kilobytes = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'kilobyte',
  maximumFractionDigits: 1,
});

export function linkFiles(at, files) {
  return files.map(({ index, name, bytes }) => {
    const link = copy('file', { name: `${name}, ${kilobytes.format(bytes / 1000)}` });
    link.href = `/api/mails/${at}/${index}`;
    return link;
  });
}

export function showRuns(runs, drafts) {
  const rows = runs.slice(-6).map(({ id, listener, subject, state, text }) => {
    const isWaiting = drafts.some(({ sessionId }) => sessionId === id);
    const told = isWaiting ? 'has drafted a reply, which waits for you' : text || state;
    const row = copy('run', { title: `${listener}: ${subject}`, told });
    row.dataset.state = state;
    return row;
  });
  $('runs').replaceChildren(...(rows.length > 0 ? rows.toReversed() : [copy('no-run')]));
}

function shortTime(date) {
  const then = new Date(date);
  const isToday = then.toDateString() === new Date().toDateString();
  const style = isToday ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' };
  return then.toLocaleString(undefined, style);
}

function shortNames(addresses) {
  return addresses.replace(/\s*<[^>]*>/g, '') || addresses;
}
