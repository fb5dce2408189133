// Brings the page up to date: at the start, and whenever the server says that something has changed.
import { catchUp, startChat } from './chat.js';
import { $, ask, notify, show } from './dom.js';
import { showDrafts } from './drafts.js';
import { openMail, showBoxes, showMails, showRuns } from './mails.js';

async function update() {
  const { about, mailboxes, drafts, runs } = await ask('/api/state');
  $('address').textContent = about.address;
  $('model').textContent = `Model: ${about.model.split(',')[0]}`;
  $('model').title = `Model: ${about.model}. Mailbox: ${about.mailbox}. Mail is sent ${about.sending}.`;
  $('arrive').hidden = !about.canArrive;
  showBoxes(mailboxes);
  showDrafts(drafts);
  showRuns(runs, drafts);
  return await showMails();
}

startChat();
if (matchMedia('(min-width: 641px)').matches) show('desk'); // there is room for two
$('arrive').onclick = () => ask('/api/arrive', {}).catch(notify);
$('terms').oninput = () => showMails().catch(notify);
for (const button of document.querySelectorAll('[data-show]'))
  button.onclick = () => show(button.dataset.show);
const [newest] = await update();
if (newest) await openMail(newest, { byPerson: false });
document.documentElement.dataset.ready = 'true';
const changes = new EventSource('/api/changes');
changes.onopen = changes.onmessage = () => {
  $('away').hidden = true;
  update().then(catchUp).catch(notify);
};
changes.onerror = () => ($('away').hidden = false);
