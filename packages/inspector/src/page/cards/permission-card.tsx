// The card for a tool that wants to run, or whose handler waits. The person can read and change the input, and allow or
// refuse the call.
import { readDraft } from '../../model/form/form-draft.js';
import { Button } from '../components/button.js';
import { allowCall, type CardUse } from './answer-card.js';
import { AnswerTogether } from './answer-together.js';
import { cardId, CardParts, whyOff } from './card-frame.js';
import { DenyForm } from './deny-form.js';
import { FormEditor } from './form/form-editor.js';

export function PermissionCard({ use }: { use: CardUse }) {
  const { question, draft, set } = use;
  const { kind, schema, suggestions, canAnswer } = question;
  const { form, isTried, isDenying, remember, error, state } = draft.value;
  const isHeld = kind === 'held';
  // What was typed by mistake is seen before it runs.
  const asEdited = readDraft(form, schema).edits.length > 0 ? ' edited' : '';
  const isReadOnly = use.store.state.value?.isReadOnly ?? true;
  const off = canAnswer ? undefined : whyOff(use);
  const always = `${cardId(question)}-always`;
  return (
    <CardParts
      use={use}
      foot={
        isDenying ? (
          <DenyForm use={use} word={isHeld ? 'Reject' : 'Deny'} canStop={!isHeld} />
        ) : (
          <>
            {suggestions.length > 0 && <Suggestions use={use} id={always} />}
            <div class="qcard-buttons">
              <Button
                look="primary"
                icon="check"
                class="qcard-yes"
                shortcut="a"
                onClick={() => allowCall(use, false)}
              >
                {`${isHeld ? 'Approve' : 'Allow'}${asEdited}`}
              </Button>
              {suggestions.length > 0 && (
                <Button
                  describedBy={always}
                  offBecause={remember.length === 0 ? 'Choose what to remember' : undefined}
                  onClick={() => allowCall(use, true)}
                >
                  Always allow
                </Button>
              )}
              <Button look="danger" class="qcard-no" shortcut="d" onClick={() => set({ isDenying: true })}>
                {isHeld ? 'Reject' : 'Deny'}
              </Button>
            </div>
          </>
        )
      }
    >
      <AnswerTogether use={use} />
      <FormEditor
        label={`Input of ${question.subject}`}
        id={`${cardId(question)}-input`}
        draft={form}
        onChange={(next) => set({ form: next })}
        schema={schema}
        issues={error?.issues}
        isTried={isTried}
        isOff={!canAnswer || state !== 'open'}
        reveal={{ run: use.reveal, offBecause: isReadOnly ? 'This page is read-only' : off }}
      />
    </CardParts>
  );
}

/** What "Always allow" would remember, and where. It stands at the button, so that it is read before it is pressed. */
function Suggestions({ use: { question, draft, set }, id }: { use: CardUse; id: string }) {
  const { suggestions } = question;
  const { remember } = draft.value;
  if (suggestions.length === 1)
    return (
      <p class="qcard-always" id={id}>
        <span class="field-hint">“Always allow” remembers</span>
        <bdi>{suggestions[0]}</bdi>
      </p>
    );
  return (
    <div class="qcard-always" id={id} role="group" aria-label="What to always allow">
      <span class="field-hint">“Always allow” remembers what is chosen</span>
      {suggestions.map((text, index) => (
        <label key={text} class="check">
          <input
            type="checkbox"
            checked={remember.includes(index)}
            onChange={(event) =>
              set({
                remember: event.currentTarget.checked
                  ? [...remember, index].toSorted((one, other) => one - other)
                  : remember.filter((each) => each !== index),
              })
            }
          />
          <bdi>{text}</bdi>
        </label>
      ))}
    </div>
  );
}
