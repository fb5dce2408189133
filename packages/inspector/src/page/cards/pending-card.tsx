// The card for a pending call: its handler has ended, and its result comes later. The person can give the result as JSON, or
// let the call fail with a message. A program can do the same by the key of the call.
import { useRef } from 'preact/hooks';
import { parseJson } from '../../model/form/json-syntax.js';
import { CopyButton } from '../components/copy-button.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icons.js';
import { JsonView } from '../components/json-view.js';
import type { CardUse } from './answer-card.js';
import { cardId, CardParts } from './card-frame.js';
import { DenyForm } from './deny-form.js';

export function PendingCallCard({ use }: { use: CardUse }) {
  const { question, draft, set } = use;
  const { input, callKey } = question;
  const { isDenying } = draft.value;
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <CardParts
      use={use}
      foot={
        isDenying ? (
          <DenyForm
            use={use}
            word="Let it fail"
            name="What went wrong"
            placeholder="Tell the model why there is no result"
            toDecision={(message) => ({ kind: 'fail', message })}
          />
        ) : (
          <>
            <ResultField use={use} field={field} />
            <div class="qcard-buttons">
              <Button
                look="primary"
                icon="check"
                class="qcard-yes"
                shortcut="a"
                onClick={() => complete(use, field.current)}
              >
                Complete
              </Button>
              <Button look="danger" class="qcard-no" shortcut="d" onClick={() => set({ isDenying: true })}>
                Let it fail
              </Button>
            </div>
          </>
        )
      }
    >
      <div class="form">
        <span class="form-name">Input</span>
        <JsonView value={input} copyLabel="Copy the input" />
      </div>
      {callKey !== undefined && <CallKey callKey={callKey} />}
    </CardParts>
  );
}

function CallKey({ callKey }: { callKey: string }) {
  return (
    <div class="qcard-key">
      <span class="form-name">Call key</span>
      <CopyButton text={callKey} label="Copy the call key" />
      <code>{callKey}</code>
    </div>
  );
}

interface ResultFieldProps {
  use: CardUse;
  field: { current: HTMLTextAreaElement | null };
}

function ResultField({ use, field }: ResultFieldProps) {
  const { question, draft, set } = use;
  const { value, isTried, state, error } = draft.value;
  const id = `${cardId(question)}-value`;
  const mistake = isTried ? findMistake(value) : undefined;
  return (
    <div class="qcard-result">
      <label class="field-label" for={id}>
        <span class="field-name">Result</span>
        <span class="field-hint">as JSON, as the tool would return it; Ctrl+Enter sends</span>
      </label>
      <textarea
        id={id}
        ref={field}
        class="form-json"
        rows={Math.min(16, Math.max(2, value.split('\n').length))}
        spellcheck={false}
        readOnly={state !== 'open'}
        placeholder={'"done", or { "id": 7 }'}
        aria-invalid={mistake !== undefined || error ? 'true' : undefined}
        aria-describedby={mistake === undefined ? undefined : `${id}-mistake`}
        value={value}
        onInput={(event) => set({ value: event.currentTarget.value, isTried: false, error: undefined })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            document.getElementById(cardId(question))?.focus();
          }
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          complete(use, field.current);
        }}
      />
      {mistake !== undefined && (
        <p class="field-issue" id={`${id}-mistake`}>
          <Icon name="warning" />
          <span>{mistake}</span>
        </p>
      )}
    </div>
  );
}

/** Sends the value. If it is not JSON, the field says so and gets the focus. */
function complete({ draft, set, answer }: CardUse, field: HTMLTextAreaElement | null): void {
  const parsed = parseJson(draft.value.value);
  if (parsed.ok) {
    answer({ kind: 'complete', value: parsed.value });
    return;
  }
  set({ isTried: true });
  field?.focus();
}

function findMistake(text: string): string | undefined {
  if (text.trim() === '') return 'Write the result first. A text needs quotes: "done".';
  const parsed = parseJson(text);
  if (parsed.ok) return undefined;
  const { line, column, message } = parsed.mistake;
  return `Line ${line}, column ${column}: ${message}`;
}
