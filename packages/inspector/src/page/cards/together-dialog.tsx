// Answers several questions about one tool at once: lists what each asks for, and answers only those that are chosen. At first,
// only those are chosen that ask for exactly the same as the first one.
import { useSignal } from '@preact/signals';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { formatCountOf, formatTimeOfDay } from '../../model/format.js';
import { groupSame, type SameQuestions } from '../../model/same-questions.js';
import { splitToolName } from '../../model/story/tool-name.js';
import type { Decision, Question } from '../../stream/question.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import type { Store } from '../store/store.js';
import { cardOf, isEdited } from './answer-card.js';

export interface TogetherDialogProps {
  store: Store;
  /** All are about the same tool. */
  questions: readonly Question[];
  onClose: () => void;
}

export function TogetherDialog({ store, questions, onClose }: TogetherDialogProps) {
  const left = questions.filter((each) => isEdited(cardOf(store, each)));
  const groups = groupSame(questions.filter((each) => !left.includes(each)));
  const chosen = useSignal<ReadonlySet<string>>(new Set([keyOf(groups[0])]));
  const reason = useSignal('');
  const picked = groups.filter((group) => chosen.value.has(keyOf(group))).flat();
  const [first] = questions;
  const isHeld = first?.kind === 'held';
  const answer = (decision: Decision): void => {
    onClose();
    for (const each of picked) cardOf(store, each).answer(decision);
  };
  const none = picked.length === 0 ? 'Choose what to answer first' : undefined;
  const count = picked.length === 0 ? '' : ` ${picked.length}`;
  return (
    <Dialog
      title={`Questions about ${splitToolName(first?.subject ?? '').name}`}
      onClose={onClose}
      class="together"
    >
      <ul class="together-list">
        {groups.map((group) => (
          <Group
            key={keyOf(group)}
            store={store}
            group={group}
            isChosen={chosen.value.has(keyOf(group))}
            onToggle={() => {
              const next = new Set(chosen.value);
              if (!next.delete(keyOf(group))) next.add(keyOf(group));
              chosen.value = next;
            }}
          />
        ))}
      </ul>
      {left.length > 0 && (
        <p class="soft small">
          {`${formatCountOf(left.length, 'question is', 'questions are')} left out, because the input was changed on the card.`}
        </p>
      )}
      <div class="together-foot">
        <Button
          look="primary"
          icon="check"
          class="together-yes"
          offBecause={none}
          onClick={() => answer({ kind: 'allow' })}
        >
          {`${isHeld ? 'Approve' : 'Allow'}${count}`}
        </Button>
        <input
          type="text"
          dir="auto"
          aria-label="Why not"
          placeholder="Why not? The model reads it"
          value={reason.value}
          onInput={(event) => {
            reason.value = event.currentTarget.value;
          }}
        />
        <Button
          look="danger"
          offBecause={none ?? (reason.value.trim() === '' ? 'Say why in a sentence' : undefined)}
          onClick={() => answer({ kind: 'deny', message: reason.value.trim() })}
        >
          {`${isHeld ? 'Reject' : 'Deny'}${count}`}
        </Button>
      </div>
    </Dialog>
  );
}

function keyOf(group: SameQuestions | undefined): string {
  return group === undefined ? '' : `${group[0].session} ${group[0].id}`;
}

interface GroupProps {
  store: Store;
  group: SameQuestions;
  isChosen: boolean;
  onToggle: () => void;
}

function Group({ store, group, isChosen, onToggle }: GroupProps) {
  const [{ session, input, description, title, hidden }] = group;
  const times = [
    ...new Set([group[0], group.at(-1) ?? group[0]].map((each) => formatTimeOfDay(each.askedAt))),
  ];
  const summary = store.sessions.value.find(({ id }) => id === session);
  const about = [
    session === store.selected.value ? undefined : `in ${summary?.title ?? session}`,
    times.length === 1 ? `asked at ${times[0]}` : `asked from ${times.join(' to ')}`,
    hidden.length > 0 ? 'with hidden values' : undefined,
  ];
  return (
    <li class={isChosen ? 'together-one together-one-on' : 'together-one'}>
      <label class="check">
        <input type="checkbox" checked={isChosen} onChange={onToggle} />
        <span>
          <strong>
            <bdi>{title}</bdi>
            {group.length > 1 && `, ${group.length} times the same`}
          </strong>
          <span class="soft">{` ${about.filter(Boolean).join(', ')}`}</span>
        </span>
      </label>
      {description !== undefined && description !== title && (
        <p class="qcard-text" dir="auto">
          {description}
        </p>
      )}
      <pre class="together-input" dir="auto">
        {writeInput(input)}
      </pre>
    </li>
  );
}

/** The whole input: a line for each field, with texts as they are, so that a command reads as it would run. */
function writeInput(input: Record<string, unknown>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : stringifyDeep(value)}`)
    .join('\n');
}
