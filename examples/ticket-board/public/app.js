// The page: follows how things stand on the server, and hands each part of it to whoever draws it.
import { drawBoard, setUpBoard } from './board.js';
import { drawChat, setUpChat } from './chat.js';

const page = { chat: location.hash.slice(1), reviewer: localStorage.getItem('reviewer') || 'Ann' };
let events;

/** Shows another chat, or with '' the place to begin one. */
function openChat(id) {
  page.chat = id;
  history.replaceState(null, '', id ? `#${id}` : location.pathname);
  follow();
}

function follow() {
  events?.close();
  events = new EventSource(`api/state?chat=${encodeURIComponent(page.chat)}`);
  events.addEventListener('open', () => showAway(false));
  events.addEventListener('error', () => showAway(true));
  events.addEventListener('message', ({ data }) => {
    const state = JSON.parse(data);
    if (state.error) {
      showAway(true, state.error);
      return;
    }
    showAway(false);
    if (page.chat && !state.chats.some(({ id }) => id === page.chat)) {
      openChat('');
      return;
    }
    drawChat(state, page);
    drawBoard(state, page);
    document.querySelector('#tab-count').textContent = state.staged.length || '';
    document.title = state.staged.length > 0 ? `(${state.staged.length}) Ticket board` : 'Ticket board';
    document.documentElement.dataset.ready = 'true';
  });
}

function showAway(isAway, words) {
  const away = document.querySelector('#away');
  away.hidden = !isAway;
  if (isAway)
    away.textContent =
      words ?? 'The server is away. What was staged is safe; this page goes on when it is back.';
}

for (const tab of document.querySelectorAll('.tabs button')) {
  tab.addEventListener('click', () => {
    document.body.dataset.tab = tab.dataset.to;
    for (const other of document.querySelectorAll('.tabs button')) other.ariaPressed = String(other === tab);
  });
}
const reviewer = document.querySelector('#reviewer');
reviewer.value = page.reviewer;
reviewer.addEventListener('input', () => {
  page.reviewer = reviewer.value.trim() || 'Somebody';
  localStorage.setItem('reviewer', page.reviewer);
});

setUpChat(page, openChat);
setUpBoard(page);
follow();
