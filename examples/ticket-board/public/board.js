// The right side: what waits for review, what is open, what is done; one ticket in front of it; and the history of all.
import { ask, fill, find, showList, tell } from './dom.js';

const when = (at) => new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
const turnOf = ({ chat, turn }) => `${chat}/${turn ?? ''}`;
const key = ({ number }) => number;
const EVENTS = {
  key,
  values: (event) => ({ ...event, when: when(event.at), who: event.who ?? 'The agent', turn: turnOf(event) }),
};
const COMMENTS = { key, values: (comment) => ({ ...comment, when: when(comment.at) }) };
const NAMES = {
  key: (name) => `user ${name}`,
  values: () => ({}),
  begin: (option, name) => Object.assign(option, { value: name, text: name || 'nobody' }),
};

const valuesOf = ({ priority, comments, ...shown }) => ({
  ...shown,
  number: `#${shown.id}`,
  priority: priority === 'normal' ? '' : priority,
  comments: comments ? `${comments} comment${comments === 1 ? '' : 's'}` : '',
  turn: turnOf(shown),
  from: `from “${shown.chat_title}”`,
});

/** A card under review is shown, edited, or about to be rejected. It has one button to decide, so that Enter does the same. */
function setMode(card, mode) {
  card.dataset.mode = mode;
  const [value, textContent, asked] =
    mode === 'reject' ? ['reject', 'Reject', 'Why not?'] : ['approve', 'Approve', 'Note to the agent'];
  Object.assign(card.querySelector('.decide'), { value, textContent });
  card.querySelector('.note span').textContent = asked;
  card.querySelector({ edit: '[name=title]', reject: '[name=note]' }[mode])?.focus();
}

function cancel(card) {
  const began = card.querySelector(`.${card.dataset.mode}`);
  card.querySelector('form').reset();
  setMode(card, 'show');
  began?.focus();
}

function beginStaged(card, ticket) {
  for (const field of card.querySelectorAll('form :is(input, textarea)'))
    field.defaultValue = ticket[field.name] ?? '';
  for (const option of card.querySelectorAll('option'))
    option.defaultSelected = option.text === ticket[option.parentElement.name];
  setMode(card, 'show');
  card.addEventListener('keydown', ({ key }) => key === 'Escape' && cancel(card));
  // Whoever was at it learns why it is gone.
  card.addEventListener('leave', () => {
    if (card.dataset.mode === 'show' || card.matches('[data-asked]')) return;
    tell(`“${ticket.title}” was decided elsewhere, or withdrawn.`);
  });
}

export function drawBoard({ staged, creating, tickets, opened, users }, page) {
  showList(find('#staged'), staged, { values: valuesOf, begin: beginStaged });
  showList(find('#creating'), creating, { values: valuesOf });
  const inStatus = (wanted) => tickets.filter(({ status }) => status === wanted);
  for (const status of ['open', 'done']) showList(find(`#${status}`), inStatus(status), { values: valuesOf });
  for (const column of document.querySelectorAll('.column'))
    column.querySelector('.count').textContent = column.querySelectorAll('li').length;
  const dialog = find('#ticket');
  if (!opened || !page.ticket) return;
  Object.assign(dialog, { item: opened }).dataset.key = opened.id;
  fill(dialog, valuesOf(opened));
  dialog.dataset.status = opened.status;
  showList(find('#assignee'), ['', ...users], NAMES);
  find('#assignee').value = opened.assignee ?? '';
  showList(find('#ticket-history'), opened.history, EVENTS);
  showList(find('#comments'), opened.comments, COMMENTS);
  if (!dialog.open) dialog.showModal();
}

export function boardActions(follow) {
  find('#ticket').addEventListener('close', () => follow({ ticket: '' }));
  find('#assignee').addEventListener('change', ({ target }) => target.form.requestSubmit());
  return {
    cancel,
    edit: (card) => setMode(card, 'edit'),
    reject: (card) => setMode(card, 'reject'),
    open: ({ item }) => follow({ ticket: item.id }),
    commented: (form) => form.reset(),
    'approve-all'() {
      for (const button of document.querySelectorAll('#staged .decide[value=approve]')) button.click();
      find('#staged-title').focus();
    },
    async history() {
      showList(find('#history ol'), (await ask('GET', 'api/history')) ?? [], EVENTS);
      find('#history').showModal();
    },
  };
}
