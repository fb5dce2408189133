// Shows who answered a question that disappears without having been answered on this page.
import { useEffect, useRef } from 'preact/hooks';
import type { QuestionSettled } from '../../stream/inspector-event.js';
import type { Question } from '../../stream/question.js';
import { splitToolName } from '../../model/story/tool-name.js';
import { showToast } from '../components/toast.js';
import type { Store } from '../store/store.js';
import { answeredHere } from './answer-card.js';
import { questionKey } from './card-draft.js';

/** The event that says who answered may come a moment after the question leaves the list. */
const WAIT_MS = 250;

/** Watches the list of questions while the component is shown. */
export function useSettledNotices(store: Store): void {
  const before = useRef<readonly Question[]>([]);
  const now = store.questions.value;
  useEffect(() => {
    const present = new Set(now.map(questionKey));
    const gone = before.current.filter((each) => !present.has(questionKey(each)));
    before.current = now;
    for (const question of gone) {
      if (answeredHere.delete(questionKey(question))) continue;
      setTimeout(() => showToast(describeEnd(question, findSettlement(store, question))), WAIT_MS);
    }
  }, [now]);
}

function findSettlement(store: Store, { session, id }: Question): QuestionSettled | undefined {
  // The events of other sessions are not read just for this.
  return session === store.selected.value ? store.load(session).model.tools.settlements.get(id) : undefined;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  allowed: 'was allowed',
  'allowed-always': 'was allowed for good',
  denied: 'was denied',
  answered: 'was answered',
  declined: 'was declined',
  withdrawn: 'was withdrawn and needs no answer',
  completed: 'was completed',
  failed: 'was failed',
};

const PEOPLE: Readonly<Record<string, string>> = { callback: 'by the program', inspector: 'on another page' };

/** "Bash was denied by the program." */
function describeEnd(question: Question, settled: QuestionSettled | undefined): string {
  const { name } = splitToolName(question.subject);
  if (!settled) return `${name}: the question is over. It was answered elsewhere, or withdrawn.`;
  const how = OUTCOMES[settled.outcome] ?? 'is over';
  const who =
    settled.by === undefined || settled.outcome === 'withdrawn'
      ? ''
      : ` ${PEOPLE[settled.by] ?? `by ${settled.by}`}`;
  return `${name} ${how}${who}.`;
}
