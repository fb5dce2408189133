// Drafts that wait for a person: editable, and kept as they are edited while others come and go.
import { $, ask, copy } from './dom.js';
import { linkFiles } from './mails.js';

const cards = new Map();

export function showDrafts(drafts) {
  for (const [id, card] of cards) {
    if (drafts.some((draft) => draft.id === id)) continue;
    const next = card.nextElementSibling ?? card.previousElementSibling;
    const isMine = card.dataset.isDecided !== undefined || card.contains(document.activeElement);
    card.remove();
    cards.delete(id);
    if (isMine) (next ?? $('mail')).focus(); // whoever works with the keyboard goes on with it
  }
  for (const draft of drafts) {
    if (cards.has(draft.id)) continue;
    const card = createCard(draft);
    cards.set(draft.id, card);
    $('drafts').append(card);
  }
  $('waiting-count').textContent = drafts.length || '';
  document.title = drafts.length > 0 ? `(${drafts.length}) Mail` : 'Mail, with an agent beside it';
}

function createCard({ id, title, input }) {
  const card = copy('draft-card', { title: title.replace(/\s*<[^>]*>/g, '') });
  for (const field of card.querySelectorAll('[name]')) field.value = input[field.name] ?? '';
  const { attachments = [], mailbox, uid } = input;
  card.querySelector('.files').append(...linkFiles(`${encodeURIComponent(mailbox)}/${uid}`, attachments));
  // Two forms, one that sends and one that rejects: Enter in the reason never sends.
  for (const form of card.querySelectorAll('form'))
    form.onsubmit = (event) => {
      event.preventDefault();
      void decide(card, id, Object.fromEntries(new FormData(form)));
    };
  return card;
}

async function decide(card, id, decision) {
  card.inert = true;
  card.dataset.isDecided = '';
  try {
    await ask(`/api/drafts/${encodeURIComponent(id)}`, decision);
  } catch (error) {
    card.querySelector('.problem').textContent = error.message;
    delete card.dataset.isDecided;
  } finally {
    card.inert = false;
  }
}
