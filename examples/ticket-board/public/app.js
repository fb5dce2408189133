// The page: signs in, follows how things stand on the server, and hands each part of it to whoever draws it.
import { boardActions, drawBoard } from './board.js';
import { chatActions, drawChat } from './chat.js';
import { ask, fill, find, listen, showList } from './dom.js';

/** What is looked at: a chat, a message in it that began a turn, an opened ticket, what is searched for. */
const page = { chat: '', turn: '', ticket: '', find: '', target: 'new' };
const AWAY = 'The server is away. What was staged is safe; this page goes on when it is back.';
let events;

function openChat(id) {
  history.replaceState(null, '', id ? `#${id}` : location.pathname);
  readAddress();
}

function readAddress() {
  [page.chat = '', page.turn = ''] = location.hash.slice(1).split('/');
  // A dialog tells that it was closed only later, and until then the server would have it opened again.
  follow({ target: page.chat || 'new', ...(page.turn && { ticket: '' }) });
  if (page.turn) {
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
    find('[data-to=chat]').click();
  }
}

/** Shows the board to somebody who is signed in, and the way in to others. */
async function start() {
  const { user, demo = [] } = (await ask('GET', 'api/me')) ?? {};
  document.body.dataset.role = user?.role ?? 'none';
  showList(find('#demo'), demo, { key: ({ name }) => name, values: ({ name, role }) => ({ name, role }) });
  document.documentElement.dataset.ready = String(!user);
  if (user) readAddress();
}

function follow(change) {
  Object.assign(page, change);
  events?.close();
  events = new EventSource(`api/state?${new URLSearchParams(page)}`);
  events.addEventListener('error', ({ target }) => {
    // A stream that the server refuses is closed: nobody is signed in any more.
    if (target.readyState === EventSource.CLOSED) void start();
    else fill(document, { away: AWAY });
  });
  events.addEventListener('message', ({ data }) => {
    const { error, problem, me, ...state } = JSON.parse(data);
    fill(document, { away: error ?? problem, me: `${me.name}, ${me.role}` });
    document.body.dataset.role = me.role;
    if (error) return;
    if (page.chat && !state.chats.some(({ id }) => id === page.chat)) return openChat('');
    drawChat(state, page);
    drawBoard(state, page);
    const count = state.staged.length;
    fill(document, { waiting: count || '' });
    document.title = count ? `(${count}) Ticket board` : 'Ticket board';
    document.documentElement.dataset.ready = 'true';
  });
}

listen(page, {
  ...chatActions(openChat),
  ...boardActions(follow),
  start,
  tab(button) {
    document.body.dataset.tab = button.dataset.to;
    for (const other of document.querySelectorAll('.tabs button'))
      other.ariaPressed = String(other.dataset.to === button.dataset.to);
  },
  person({ item }) {
    for (const name of ['name', 'password']) find(`#sign-in [name=${name}]`).value = item[name];
  },
  // Nothing of what was shown stays in the page.
  leave: () => location.replace(location.pathname),
});
find('#find').addEventListener('input', ({ target }) => follow({ find: target.value.trim() }));
addEventListener('hashchange', readAddress);
void start();
