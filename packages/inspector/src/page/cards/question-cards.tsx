// Draws the open questions as cards: those of the chosen session first, then the others, oldest first.
import type { Question } from '../../stream/question.js';
import { lateView } from '../components/late-view.js';
import { useKeys } from '../components/use-keys.js';
import type { Store } from '../store/store.js';
import { cardOf } from './answer-card.js';
import { AskUserCard } from './ask-user-card.js';
import { DialogCard, ElicitationCard } from './ask-cards.js';
import { questionKey } from './card-draft.js';
import { CardFrame } from './card-frame.js';
import { CARD_KEYS, focusNextCard, pressOnCard } from './card-keys.js';
import { PermissionCard } from './permission-card.js';
import { useSettledNotices } from './settled-notices.js';
import { sortQuestions } from './sort-questions.js';

// Loaded on use, because few programs have pending calls.
const PendingCallCard = lateView(async () => (await import('./pending-card.js')).PendingCallCard);

const BODIES = {
  permission: PermissionCard,
  held: PermissionCard,
  'ask-user': AskUserCard,
  elicitation: ElicitationCard,
  dialog: DialogCard,
  pending: PendingCallCard,
};

/** The cards of all open questions; draws nothing if there are none. */
export function QuestionCards({ store }: { store: Store }) {
  const questions = sortQuestions(store.questions.value, store.selected.value);
  useSettledNotices(store);
  useKeys(CARD_KEYS, {
    next: () => void focusNextCard(),
    allow: () => pressOnCard('.qcard-yes'),
    deny: () => pressOnCard('.qcard-no'),
    together: () => document.querySelector<HTMLElement>('.qcard-together button')?.click(),
  });
  return questions.length === 0 ? null : <CardList store={store} questions={questions} />;
}

function CardList({ store, questions }: { store: Store; questions: readonly Question[] }) {
  return (
    <section class="qcards" aria-label="Questions waiting for you">
      {questions.map((question) => (
        <QuestionCard key={questionKey(question)} store={store} question={question} />
      ))}
    </section>
  );
}

function QuestionCard({ store, question }: { store: Store; question: Question }) {
  const use = cardOf(store, question);
  const Body = BODIES[question.kind];
  return (
    <CardFrame use={use}>
      <Body use={use} />
    </CardFrame>
  );
}
