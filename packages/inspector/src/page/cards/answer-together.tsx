// A line on the first of several cards about the same tool: it opens the list in which they are answered together.
import { signal } from '@preact/signals';
import type { Question } from '../../stream/question.js';
import { listSameTool } from '../../model/same-questions.js';
import { Button } from '../components/button.js';
import { lateView } from '../components/late-view.js';
import type { Store } from '../store/store.js';
import type { CardUse } from './answer-card.js';
import { questionKey } from './card-draft.js';
import { sortQuestions } from './sort-questions.js';

// Loaded on use, because few questions wait at the same time.
const TogetherDialog = lateView(async () => (await import('./together-dialog.js')).TogetherDialog);

/** The questions in the list that is open. They are noted when it opens: one that comes later is not answered with them. */
const listed = signal<readonly Question[] | undefined>(undefined);

/** Draws nothing if there are no other cards about the tool, or if the card is not the first of them. */
export function AnswerTogether({ use: { store, question } }: { use: CardUse }) {
  const all = sortQuestions(listSameTool(store.questions.value, question), store.selected.value);
  if (all.length < 2 || !all[0] || questionKey(all[0]) !== questionKey(question)) return null;
  return (
    <div class="qcard-together">
      <span>{`${all.length} about this tool`}</span>
      <Button
        shortcut="A"
        onClick={() => {
          listed.value = all;
        }}
      >
        Answer together
      </Button>
    </div>
  );
}

/** The list that is open, without the questions that were settled meanwhile. It outlives the card that opened it. */
export function TogetherList({ store }: { store: Store }) {
  const open = new Set(store.questions.value.map(questionKey));
  const questions = listed.value?.filter((each) => open.has(questionKey(each))) ?? [];
  if (questions.length === 0) return null;
  return (
    <TogetherDialog
      store={store}
      questions={questions}
      onClose={() => {
        listed.value = undefined;
      }}
    />
  );
}
