// The left side: the list of chats, one conversation, and the place to write.
import { ask, element, showList } from './dom.js';

const IDEAS = [
  'Login fails on mobile, the CSV export is wanted, and rename the settings page.',
  'The import crashes on large files and loses data. Add a progress bar to the import.',
];
const ACTIVITIES = { idle: '', queued: 'waits for its turn', working: 'at work', review: 'in review' };
const find = (selector) => document.querySelector(selector);

export function setUpChat(page, openChat) {
  const text = find('#text');
  find('#new-chat').addEventListener('click', () => {
    openChat('');
    text.focus();
  });
  find('#chat-list').addEventListener('click', ({ target }) => {
    const row = target.closest('li');
    if (row) openChat(row.dataset.key);
  });
  find('#composer').addEventListener('submit', async (event) => {
    event.preventDefault();
    const sent = await ask('POST', `api/chats/${page.chat || 'new'}/messages`, { text: text.value });
    if (!sent) return;
    text.value = '';
    text.focus();
    if (sent.id !== page.chat) openChat(sent.id);
  });
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!find('#send').hidden) find('#composer').requestSubmit();
  });
  find('#stop').addEventListener('click', () => {
    text.focus();
    void ask('POST', `api/chats/${page.chat}/stop`);
  });
  find('#to-board').addEventListener('click', () => find('[data-to=board]').click());
  find('#ideas').append(
    ...IDEAS.map((idea) => {
      const button = element('button', { type: 'button', className: 'idea' }, idea);
      button.addEventListener('click', () => {
        text.value = idea;
        text.focus();
      });
      return button;
    }),
  );
}

export function drawChat({ chats, messages, writing, staged }, page) {
  showList(find('#chat-list'), chats, {
    key: ({ id }) => id,
    create: ({ title }) =>
      element('li', {}, element('button', { type: 'button' }, element('span', {}, title), element('small'))),
    update: (row, { id, activity }) => {
      row.dataset.activity = activity;
      row.querySelector('small').textContent = ACTIVITIES[activity];
      row.firstElementChild.ariaCurrent = String(id === page.chat);
    },
  });
  const { activity = 'idle' } = chats.find(({ id }) => id === page.chat) ?? {};
  const isAtWork = activity !== 'idle';
  find('.chats').hidden = chats.length === 0;
  find('#welcome').hidden = page.chat !== '';
  find('#send').hidden = isAtWork;
  find('#stop').hidden = !isAtWork;
  const log = find('.conversation');
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  const all = writing ? [...messages, { number: 'writing', role: 'agent', text: writing }] : messages;
  showList(find('#messages'), all, {
    key: ({ number }) => number,
    create: ({ role, number }) =>
      element('li', { className: number === 'writing' ? `${role} writing` : role }),
    update: (row, { text }) => {
      if (row.textContent !== text) row.textContent = text;
    },
  });
  const mine = staged.filter(({ chat }) => chat === page.chat).length;
  const words = {
    idle: '',
    queued: 'Waits for its turn: other chats are at work.',
    working: writing ? '' : 'At work …',
    review: `Waits for a reviewer: ${mine} ticket${mine === 1 ? '' : 's'} on the board.`,
  }[activity];
  const status = find('#status');
  status.hidden = words === '';
  find('#to-board').hidden = activity !== 'review';
  status.dataset.activity = activity;
  if (status.textContent !== words) status.textContent = words;
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}
