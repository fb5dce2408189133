// Drafts that wait for a person: editable, and kept as they are edited while others come and go.
import { $, ask, el } from './dom.js';

const cards = new Map();

export function showDrafts(drafts) {
  for (const [id, card] of cards) {
    if (drafts.some((draft) => draft.id === id)) continue;
    const next = card.nextElementSibling ?? card.previousElementSibling;
    const isMine = card.dataset.isDecided !== undefined || card.contains(document.activeElement);
    card.remove();
    cards.delete(id);
    // Whoever works with the keyboard goes on with what is next.
    if (isMine) (next ?? $('mail')).focus();
  }
  for (const draft of drafts) {
    if (cards.has(draft.id)) continue;
    const card = createCard(draft);
    cards.set(draft.id, card);
    $('drafts').append(card);
  }
  $('waiting-count').textContent = String(drafts.length);
  $('waiting-count').hidden = drafts.length === 0;
  document.title = drafts.length > 0 ? `(${drafts.length}) Mail` : 'Mail, with an agent beside it';
}

function createCard({ id, title, input }) {
  const to = el('input', { value: input.to, required: true });
  const subject = el('input', { value: input.subject, required: true });
  const text = el('textarea', { value: input.text, required: true, attributes: { 'aria-label': 'Text' } });
  const reason = el('input', {
    placeholder: 'What should be different?',
    hidden: true,
    attributes: { 'aria-label': 'Reason' },
    onkeydown: ({ key }) => {
      if (key !== 'Escape') return;
      reason.hidden = true;
      reason.value = '';
      rejectButton.focus();
    },
  });
  const problem = el('p', { className: 'problem', hidden: true, attributes: { role: 'alert' } });
  const decide = async (body) => {
    card.inert = true;
    card.dataset.isDecided = '';
    try {
      await ask(`/api/drafts/${encodeURIComponent(id)}`, body);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      delete card.dataset.isDecided;
    } finally {
      card.inert = false;
    }
  };
  const reject = () => {
    if (!reason.hidden) {
      void decide({ reason: reason.value });
      return;
    }
    reason.hidden = false;
    reason.focus();
  };
  const rejectButton = el('button', { type: 'button', textContent: 'Reject', onclick: reject });
  const card = el(
    'form',
    {
      className: 'draft',
      tabIndex: -1,
      onsubmit: (event) => {
        event.preventDefault();
        if (document.activeElement === reason) reject();
        else void decide({ to: to.value, subject: subject.value, text: text.value });
      },
    },
    el('h2', { textContent: title.replace(/\s*<[^>]*>/g, '') }),
    el('p', { className: 'promise', textContent: 'Drafted by the agent. Nothing is sent before you do.' }),
    el('label', {}, 'To', to),
    el('label', {}, 'Subject', subject),
    text,
    problem,
    el(
      'div',
      { className: 'actions' },
      el('button', { className: 'strong', textContent: 'Send' }),
      rejectButton,
      reason,
    ),
  );
  return card;
}
