// The mailboxes, the list of mails, the mail that is open, and what the listeners did.
import { say } from './chat.js';
import { $, ask, el, notify, refill, shortName, shortTime, show } from './dom.js';

let box = 'INBOX';
let open;

export async function showMails() {
  const mails = await ask(`/api/mails/${encodeURIComponent(box)}`);
  const rows = mails.map((mail) => {
    const marks = [mail.unread && 'unread', mail.answered && 'answered'].filter(Boolean).join(' ');
    const time = el('time', { dateTime: mail.date, textContent: shortTime(mail.date) });
    const from = el('span', { className: 'from', textContent: shortName(mail.from) });
    const subject = el('span', { className: 'subject', textContent: mail.subject });
    const attributes = { 'aria-current': String(open === `${box} ${mail.uid}`) };
    const onclick = () => openMail(mail.uid).catch(notify);
    return el(
      'li',
      { className: marks },
      el(
        'button',
        { type: 'button', onclick, attributes, data: { key: `${box} ${mail.uid}` } },
        from,
        time,
        subject,
      ),
    );
  });
  const none = el('li', { className: 'empty', textContent: 'No mail here.' });
  refill($('mails'), rows.length > 0 ? rows : [none]);
  return mails;
}

export function showBoxes(mailboxes) {
  const buttons = mailboxes.map(({ path, unread }) => {
    const textContent = `${path === 'INBOX' ? 'Inbox' : path}${unread > 0 ? ` ${unread}` : ''}`;
    const onclick = () => {
      box = path;
      showBoxes(mailboxes);
      showMails().catch(notify);
    };
    return el('button', {
      type: 'button',
      textContent,
      onclick,
      data: { key: path },
      attributes: { 'aria-pressed': String(path === box) },
    });
  });
  refill($('boxes'), buttons);
}

export async function openMail(uid, { quietly = false } = {}) {
  const at = `${encodeURIComponent(box)}/${uid}`;
  const mail = await ask(`/api/mails/${at}`);
  open = `${box} ${uid}`;
  for (const row of $('mails').querySelectorAll('button'))
    row.setAttribute('aria-current', String(row.dataset.key === open));
  const when = new Date(mail.date).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const files = mail.attachments.map(({ index, name, bytes }) =>
    el('a', { href: `/api/mails/${at}/${index}`, textContent: `${name}, ${sizeOf(bytes)}` }),
  );
  const quick = (label, words) =>
    el('button', { type: 'button', textContent: label, onclick: () => (show('chat'), say(words)) });
  $('mail').replaceChildren(
    el('h2', { textContent: mail.subject }),
    el('p', { className: 'who', textContent: `${mail.from}, ${when}` }),
    el('p', { className: 'who', textContent: `to ${mail.to}` }),
    el('div', { className: 'body', textContent: mail.text.trim() }),
    el('div', { className: 'files' }, ...files),
    el(
      'div',
      { className: 'actions', hidden: box !== 'INBOX' },
      quick('Draft a reply', `Draft a reply to mail ${uid}.`),
      quick('Summarize', `Summarize mail ${uid}.`),
    ),
  );
  if (!quietly) show('desk');
  await showMails();
}

export function showRuns(runs, drafts) {
  const rows = runs
    .filter(({ listener }) => listener !== '')
    .slice(-6)
    .toReversed()
    .map(({ id, listener, subject, state, text }) => {
      const isWaiting = drafts.some(({ sessionId }) => sessionId === id);
      const told = isWaiting
        ? 'has drafted a reply, which waits for you'
        : state === 'at work'
          ? 'at work'
          : text;
      const title = el('div', { textContent: `${listener}: ${subject}` });
      return el(
        'li',
        { data: { state } },
        title,
        el('div', { className: 'faint', textContent: told, title: told }),
      );
    });
  const none = el('li', {
    className: 'none',
    textContent: 'They act on new mail by themselves. None has come yet.',
  });
  $('runs').replaceChildren(...(rows.length > 0 ? rows : [none]));
}

function sizeOf(bytes) {
  return bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
}
