// The right side: what waits for review, what is open, what is done. A staged card can be edited where it is.
import { ask, element, showList, tell } from './dom.js';

const KINDS = ['bug', 'feature', 'task'];
const PRIORITIES = ['low', 'normal', 'high'];
// About as much as three lines hold.
const LONG = 110;
const find = (selector) => document.querySelector(selector);

export function setUpBoard() {
  find('#approve-all').addEventListener('click', () => {
    for (const card of find('#staged').children) card.querySelector('.approve').click();
    find('#staged-title').focus();
  });
}

export function drawBoard({ chats, staged, tickets }, page) {
  const titleOf = (chat) => chats.find(({ id }) => id === chat)?.title ?? '';
  showList(find('#staged'), staged, {
    key: ({ id }) => id,
    create: (ticket) => createStaged(ticket, titleOf(ticket.chat), page),
  });
  find('#approve-all').hidden = staged.length < 2;
  for (const status of ['open', 'done'])
    showList(
      find(`#${status}`),
      tickets.filter((ticket) => ticket.status === status),
      { key: ({ id }) => id, create: createTicket },
    );
  for (const column of document.querySelectorAll('.column')) {
    const count = column.querySelector('ul').children.length;
    column.querySelector('.count').textContent = count;
    column.querySelector('.empty').hidden = count > 0;
  }
}

const chip = (text) => element('span', { className: `chip ${text}` }, text);
const chipsOf = ({ kind, priority }) =>
  element('p', { className: 'chips' }, chip(kind), priority === 'normal' ? undefined : chip(priority));

/** A long description is folded until somebody opens it. */
function describe(description) {
  if (description.length < LONG) return element('p', { className: 'description' }, description);
  return element('details', { className: 'description' }, element('summary', {}, description));
}

function button(text, className, act) {
  const made = element('button', { type: 'button', className }, text);
  made.addEventListener('click', act);
  return made;
}

function createTicket({ id, title, description, kind, priority, status }) {
  const move = () => ask('PATCH', `api/tickets/${id}`, { status: status === 'open' ? 'done' : 'open' });
  return element(
    'li',
    { className: 'card', tabIndex: -1 },
    element('h3', {}, title),
    describe(description),
    element(
      'div',
      { className: 'foot' },
      element('span', { className: 'number' }, `#${id}`),
      chipsOf({ kind, priority }),
      button(status === 'open' ? 'Done' : 'Reopen', 'quiet', move),
    ),
  );
}

function choice(name, options, value) {
  const choices = options.map((each) => element('option', { defaultSelected: each === value }, each));
  return element('label', {}, name === 'kind' ? 'Kind' : 'Priority', element('select', { name }, ...choices));
}

/** A card under review: shown, edited, or about to be rejected (`data-mode`). */
function createStaged(ticket, chatTitle, page) {
  const { id, title, description, kind, priority } = ticket;
  let isDecided = false;
  const titleField = element('input', { name: 'title', defaultValue: title, maxLength: 120, required: true });
  const descriptionField = element('textarea', {
    name: 'description',
    defaultValue: description,
    rows: 4,
    maxLength: 4000,
  });
  const note = element('input', { name: 'note', maxLength: 1000 });
  const noteLabel = element('span');
  const form = element('form');
  const decide = async (decision) => {
    if (decision === 'approve' && !form.reportValidity()) return;
    isDecided = true;
    const fields = Object.fromEntries(new FormData(form));
    isDecided = Boolean(await ask('POST', `api/staged/${id}`, { ...fields, decision, by: page.reviewer }));
  };
  const setMode = (mode) => {
    card.dataset.mode = mode;
    noteLabel.textContent = mode === 'reject' ? 'Why not?' : 'Note to the agent';
    if (mode === 'edit') titleField.focus();
    if (mode === 'reject') note.focus();
  };
  const cancel = () => {
    const began = card.querySelector(`.${card.dataset.mode}`);
    form.reset();
    setMode('show');
    began?.focus();
  };
  form.append(
    element('label', {}, 'Title', titleField),
    element('label', {}, 'Description', descriptionField),
    element(
      'div',
      { className: 'choices' },
      choice('kind', KINDS, kind),
      choice('priority', PRIORITIES, priority),
    ),
    element('label', { className: 'note' }, noteLabel, note),
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') cancel();
    if (event.key !== 'Enter' || event.target.tagName !== 'INPUT' || event.isComposing) return;
    event.preventDefault();
    void decide(card.dataset.mode === 'reject' ? 'reject' : 'approve');
  });
  const actions = element(
    'div',
    { className: 'actions' },
    button('Approve', 'primary approve', () => decide('approve')),
    button('Edit', 'edit', () => setMode('edit')),
    button('Reject', 'reject', () => (card.dataset.mode === 'reject' ? decide('reject') : setMode('reject'))),
    button('Cancel', 'quiet cancel', cancel),
  );
  const card = element(
    'li',
    { className: 'card staged', tabIndex: -1 },
    element('h3', {}, title),
    element('p', { className: 'description' }, description),
    chipsOf({ kind, priority }),
    form,
    element('p', { className: 'from' }, `from “${chatTitle}”`),
    actions,
  );
  // Whoever was at it learns why it is gone.
  card.addEventListener('leave', () => {
    if (!isDecided && card.dataset.mode !== 'show') tell(`“${title}” was decided elsewhere, or withdrawn.`);
  });
  setMode('show');
  return card;
}
