// The page: the desk as it stands on the left and on the right, and between them one conversation, told by its events.
import { ask, element, showList, tell } from './dom.js';
import { drawConversation, followConversation } from './conversation.js';

const IDEAS = ['Where is my order A-102?', 'What about order A-101?', 'Is A-100 there yet?'];
const CUSTOMERS = ['Ann', 'Bo', 'Cleo', 'Dan', 'Eve', 'Finn'];
const STATES = {
  idle: '',
  queued: 'waits for a worker',
  running: 'at work',
  parked: 'waits for you',
  closed: 'closed',
};
const find = (selector) => document.querySelector(selector);
const page = { key: location.hash.slice(1) };

function open(key) {
  page.key = key;
  history.replaceState(null, '', key ? `#${key}` : location.pathname);
  find('#welcome').hidden = key !== '';
  followConversation(key);
}

function button(text, className, act) {
  const made = element('button', { type: 'button', className }, text);
  made.addEventListener('click', act);
  return made;
}

const answer = (id, ok) => ask('POST', `api/approvals/${encodeURIComponent(id)}`, { ok, by: 'you' });

function drawDesk({ conversations, approvals, workers, refunds, takeovers }) {
  // A worker keeps a question at hand for a while before it parks the turn: it waits then, and is not at work.
  const isAsked = (key) => approvals.some(({ conversation }) => conversation === key);
  const customerOf = (key) => conversations.find((each) => each.key === key)?.customer ?? 'A customer';
  showList(find('#conversations'), conversations, {
    key: ({ key }) => key,
    create: ({ key, customer }) => {
      const row = button('', '', () => open(key));
      row.append(element('span', {}, `${customer} · ${key}`), element('small'));
      return element('li', {}, row);
    },
    update: (row, { key, state, owner }) => {
      const words =
        state !== 'running' || !owner ? STATES[state] : isAsked(key) ? STATES.parked : `at work: ${owner}`;
      row.querySelector('small').textContent = words || (owner ? `warm: ${owner}` : 'done');
      row.firstElementChild.ariaCurrent = String(key === page.key);
    },
  });
  showList(find('#approvals'), approvals, {
    key: ({ id }) => id,
    create: ({ id, conversation, toolName, input }) =>
      element(
        'li',
        { className: 'card', tabIndex: -1 },
        element(
          'strong',
          {},
          `${customerOf(conversation)}: ${String(toolName).replace(/^.*__/, '')} ${input.order ?? ''}`,
        ),
        element('small', {}, 'May the agent do that?'),
        element(
          'div',
          { className: 'actions' },
          button('Agree', 'primary', () => answer(id, true)),
          button('Refuse', '', () => answer(id, false)),
        ),
      ),
  });
  showList(find('#workers'), workers, {
    key: ({ name, alive }) => `${name} ${alive}`,
    create: ({ name, alive }) =>
      element(
        'li',
        { className: alive ? 'card worker' : 'card worker gone' },
        element('span', {}, element('strong', {}, name), element('small')),
        alive
          ? button('Kill', 'danger', () => ask('POST', `api/workers/${encodeURIComponent(name)}/kill`))
          : undefined,
      ),
    update: (row, { alive, conversations: count }) => {
      const words = count === 1 ? 'has 1 conversation' : `has ${count || 'no'} conversations`;
      row.querySelector('small').textContent = alive ? words : 'killed; another one will come';
    },
  });
  showList(find('#refunds'), refunds.toReversed(), {
    key: ({ order, usd }) => `${order} ${usd} ${refunds.length}`,
    create: ({ order, usd }) => element('li', { className: 'card' }, `$${usd} for ${order}`),
  });
  find('#no-approvals').hidden = approvals.length > 0;
  find('#no-refunds').hidden = refunds.length > 0;
  find('#approval-count').textContent = approvals.length || '';
  const many = conversations.length === 1 ? '1 conversation' : `${conversations.length} conversations`;
  // Without a database, a killed worker hands its conversation over, and nothing has to be taken from it.
  const taken = takeovers ? `, ${takeovers} taken over from workers that died` : '';
  find('#figures').textContent = many + taken;
  drawConversation(
    conversations.find(({ key }) => key === page.key),
    isAsked(page.key),
  );
}

const desk = new EventSource('api/desk');
desk.addEventListener('error', () =>
  showAway('The server is away. Nothing is lost; this page goes on when it is back.'),
);
desk.addEventListener('message', ({ data }) => {
  const state = JSON.parse(data);
  showAway(state.error ?? '');
  if (!state.error) drawDesk(state);
  document.documentElement.dataset.ready = 'true';
});
function showAway(words) {
  find('#away').hidden = words === '';
  find('#away').textContent = words;
}

const text = find('#text');
text.placeholder = IDEAS[0];
find('#composer').addEventListener('submit', async (event) => {
  event.preventDefault();
  const customer = CUSTOMERS[Math.floor(Math.random() * CUSTOMERS.length)];
  // With a name of its own a message that is sent twice is one message.
  const message = { text: text.value, customer, id: crypto.randomUUID() };
  const sent = await ask('POST', `api/conversations/${page.key || 'new'}/messages`, message);
  if (!sent) return;
  text.value = '';
  text.focus();
  if (sent.key !== page.key) open(sent.key);
});
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  find('#composer').requestSubmit();
});
find('#stop').addEventListener('click', () => ask('POST', `api/conversations/${page.key}/interrupt`));
find('#new').addEventListener('click', () => {
  open('');
  text.focus();
});
find('#ideas').append(
  ...IDEAS.map((idea) =>
    button(idea, '', () => {
      text.value = idea;
      find('#composer').requestSubmit();
    }),
  ),
);
addEventListener('hashchange', () => open(location.hash.slice(1)));
globalThis.addEventListener('unhandledrejection', ({ reason }) => tell(String(reason)));
open(page.key);
