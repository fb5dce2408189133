// The left side: the list of chats, one conversation, and the place to write.
import { fill, find, showList } from './dom.js';

const ACTIVITIES = { idle: '', queued: 'waits for its turn', working: 'at work', review: 'in review' };

export function drawChat({ chats, messages, writing, staged }, page) {
  showList(find('#chat-list'), chats, {
    values: ({ title, activity }) => ({ title, activity: ACTIVITIES[activity] }),
  });
  for (const { item, firstElementChild } of find('#chat-list').children)
    firstElementChild.ariaCurrent = String(item.id === page.chat);
  const { activity = 'idle' } = chats.find(({ id }) => id === page.chat) ?? {};
  document.body.dataset.activity = activity;
  const log = find('.conversation');
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  const now = { number: 'writing', role: 'agent writing', text: writing };
  showList(find('#messages'), writing ? [...messages, now] : messages, {
    key: ({ number }) => number,
    values: ({ author, text }) => ({ author, text }),
    begin: (row, { role }) => (row.className = role),
  });
  const mine = staged.filter(({ chat }) => chat === page.chat).length;
  const words = {
    queued: 'Waits for its turn: other chats are at work.',
    working: writing ? '' : 'At work …',
    review: `Waits for a reviewer: ${mine} ticket${mine === 1 ? '' : 's'} on the board.`,
  };
  fill(log, { status: words[activity] });
  const named = find(`#messages > [data-key="${page.turn}"]`);
  if (named && !named.matches('.named')) {
    find('.named')?.classList.remove('named');
    named.classList.add('named');
    named.scrollIntoView({ block: 'center' });
  } else if (isAtEnd) log.scrollTop = log.scrollHeight;
}

export function chatActions(openChat) {
  const text = find('#text');
  const write = (words) => Object.assign(text, { value: words }).focus();
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (document.body.dataset.activity === 'idle') find('#composer').requestSubmit();
  });
  return {
    chat: ({ item }) => openChat(item.id),
    idea: ({ textContent }) => write(textContent),
    'new-chat'() {
      openChat('');
      text.focus();
    },
    sent(_form, { id }) {
      write('');
      openChat(id);
    },
  };
}
