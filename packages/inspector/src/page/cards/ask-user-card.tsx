// The card for questions of the model: the person chooses one or several of the offered answers, or writes another. The keys
// 1 to 9 choose.
import { readUserQuestions, writeAnswers, type FormQuestion } from '../../model/form/user-questions.js';
import { Button } from '../components/button.js';
import type { CardUse } from './answer-card.js';
import type { Picked } from './card-draft-type.js';
import { cardId, CardParts } from './card-frame.js';
import { DenyForm } from './deny-form.js';

const NOTHING: Picked = { labels: [], own: '' };

export function AskUserCard({ use }: { use: CardUse }) {
  const { question, draft, set, answer } = use;
  const { picks, isDenying, state } = draft.value;
  const questions = readUserQuestions(question.input);
  const answers = writeAnswers(questions, picks);
  const missing = questions.filter((each) => answers[each.question] === undefined).length;
  const isOff = !question.canAnswer || state !== 'open';
  const pick = (place: number, picked: Picked): void => set({ picks: { ...picks, [place]: picked } });
  return (
    <div
      class="ask"
      onKeyDown={(event) => {
        const index = '123456789'.indexOf(event.key);
        const isTyping = event.target instanceof HTMLTextAreaElement;
        if (index < 0 || isTyping || isOff || event.ctrlKey || event.metaKey || event.altKey) return;
        const place = placeOf(event.target as Element, questions, answers);
        const asked = questions[place];
        const option = asked?.options[index];
        if (!asked || !option) return;
        event.preventDefault();
        pick(place, toggle(asked, picks[place] ?? NOTHING, option.label));
      }}
    >
      <CardParts
        use={use}
        foot={
          isDenying ? (
            <DenyForm use={use} word="Refuse to answer" canStop />
          ) : (
            <div class="qcard-buttons">
              <Button
                look="primary"
                icon="send"
                class="qcard-yes"
                shortcut="a"
                offBecause={
                  missing > 0
                    ? `${missing === 1 ? 'One answer is' : `${missing} answers are`} missing`
                    : undefined
                }
                onClick={() => answer({ kind: 'submit', content: answers })}
              >
                Answer
              </Button>
              <Button look="danger" class="qcard-no" shortcut="d" onClick={() => set({ isDenying: true })}>
                Do not answer
              </Button>
            </div>
          )
        }
      >
        {questions.map((each, place) => (
          <OneQuestion
            key={each.question}
            id={`${cardId(question)}-${place}`}
            place={place}
            asked={each}
            picked={picks[place] ?? NOTHING}
            onPick={(picked) => pick(place, picked)}
            isOff={isOff}
          />
        ))}
      </CardParts>
    </div>
  );
}

/** The index of the question that has the focus, else of the first without an answer. */
function placeOf(
  target: Element,
  questions: readonly FormQuestion[],
  answers: Record<string, string>,
): number {
  const focused = target.closest<HTMLElement>('[data-place]')?.dataset['place'];
  if (focused !== undefined) return Number(focused);
  return Math.max(
    0,
    questions.findIndex((each) => answers[each.question] === undefined),
  );
}

function toggle({ multiSelect }: FormQuestion, { labels, own }: Picked, label: string): Picked {
  const isOn = labels.includes(label);
  if (!multiSelect) return { labels: [label], own: '' };
  return { labels: isOn ? labels.filter((each) => each !== label) : [...labels, label], own };
}

interface OneQuestionProps {
  id: string;
  place: number;
  asked: FormQuestion;
  picked: Picked;
  onPick: (picked: Picked) => void;
  isOff: boolean;
}

function OneQuestion({ id, place, asked, picked, onPick, isOff }: OneQuestionProps) {
  const { question, header, options, multiSelect } = asked;
  return (
    <fieldset class="ask-one" data-place={place}>
      <legend class="ask-legend">
        {header !== '' && <bdi class="ask-header">{header}</bdi>}
        <bdi class="ask-question">{question}</bdi>
        {multiSelect && <span class="field-hint">several may be chosen</span>}
      </legend>
      {options.map(({ label, description, preview }, index) => (
        <label key={label} class={`ask-option ${picked.labels.includes(label) ? 'ask-option-on' : ''}`}>
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            name={id}
            checked={picked.labels.includes(label)}
            disabled={isOff}
            onChange={() => onPick(toggle(asked, picked, label))}
          />
          <span class="ask-words">
            <bdi class="ask-label">{label}</bdi>
            {description !== '' && <bdi class="ask-about">{description}</bdi>}
            {preview !== undefined && (
              <pre class="ask-preview" dir="auto">
                {preview}
              </pre>
            )}
          </span>
          {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
        </label>
      ))}
      <textarea
        class="field-area"
        dir="auto"
        aria-label={`Your own answer to: ${question}`}
        placeholder="Or in your own words"
        rows={1}
        value={picked.own}
        readOnly={isOff}
        onInput={(event) =>
          onPick({ labels: multiSelect ? picked.labels : [], own: event.currentTarget.value })
        }
      />
    </fieldset>
  );
}
