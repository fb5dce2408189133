// The keys of cards, and how the focus moves from card to card.
import { defineKeys } from '../store/keys.js';

export const CARD_KEYS = defineKeys('Questions', {
  next: { keys: ['n'], says: 'Next question' },
  allow: { keys: ['a'], says: 'Allow, approve or send the focused question' },
  deny: { keys: ['d'], says: 'Deny it: then write why, and press Enter' },
  together: { keys: ['A'], says: 'Answer all questions about one tool together' },
});

const CARD = '[data-question]';
/** A card whose answer is on its way is about to go. */
const OPEN_CARD = '[data-question]:not(.qcard-busy)';

function focusedCard(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>(CARD) ?? undefined;
}

/** Moves the focus to the next card, and from the last card to the first; gives false if there is no card. */
export function focusNextCard(): boolean {
  const cards = listCards();
  const now = focusedCard();
  const next = cards[(now ? cards.indexOf(now) + 1 : 0) % cards.length];
  if (next) show(next);
  return next !== undefined;
}

/**
 * Plans where the focus goes once a question is answered: to the first card after it that is still there then, else to the
 * first card before it.
 */
export function planNextCard(id: string): () => void {
  const cards = listCards();
  const now = cards.findIndex((card) => card.dataset['question'] === id);
  const after = [...cards.slice(now + 1), ...cards.slice(0, Math.max(0, now))];
  return () => {
    const next = after.find((card) => card.isConnected);
    if (next) show(next);
  };
}

function listCards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(OPEN_CARD)];
}

function show(card: HTMLElement): void {
  // On a small page, a button must show the cards first.
  if (!card.checkVisibility()) document.querySelector<HTMLElement>('[aria-controls="dock"]')?.click();
  requestAnimationFrame(() => {
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'nearest' });
  });
}

/** Presses a button of the card that has the focus. If no card has it, the first card gets it instead. */
export function pressOnCard(selector: string): void {
  const card = focusedCard();
  if (card) card.querySelector<HTMLElement>(selector)?.click();
  else focusNextCard();
}
