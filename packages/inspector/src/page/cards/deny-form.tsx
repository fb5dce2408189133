// The form to refuse a call, or to let it fail: a reason, which the model reads, and perhaps whether to stop the turn too.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../components/button.js';
import type { Decision } from '../../stream/question.js';
import type { CardUse } from './answer-card.js';
import { cardId } from './card-frame.js';

export interface DenyFormProps {
  use: CardUse;
  /** The word on the button: "Deny", "Reject". */
  word: string;
  /** Whether the form offers to stop the turn. Default: false. */
  canStop?: boolean | undefined;
  /** The name of the field. */
  name?: string | undefined;
  placeholder?: string | undefined;
  /** The decision that is sent. Default: a denial. */
  toDecision?: ((reason: string, stopsTurn: boolean) => Decision) | undefined;
}

export function DenyForm({
  use,
  word,
  canStop = false,
  name = 'Why not',
  placeholder = 'Tell the model what to do instead',
  toDecision = toDenial,
}: DenyFormProps) {
  const { question, draft, set, answer } = use;
  const { reason, stopsTurn } = draft.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const id = `${cardId(question)}-reason`;
  useLayoutEffect(() => field.current?.focus(), []);
  const isEmpty = reason.trim() === '';
  const send = (): void => {
    if (!isEmpty) answer(toDecision(reason.trim(), stopsTurn));
  };
  return (
    <div class="qcard-deny">
      <label class="field-label" for={id}>
        <span class="field-name">{name}</span>
        <span class="field-hint">the model reads it; Enter sends</span>
      </label>
      <textarea
        id={id}
        ref={field}
        class="field-area"
        dir="auto"
        rows={1}
        value={reason}
        placeholder={placeholder}
        onInput={(event) => set({ reason: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            set({ isDenying: false });
            document.getElementById(cardId(question))?.focus();
          }
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div class="qcard-buttons">
        <Button look="danger" offBecause={isEmpty ? 'Say why in a sentence' : undefined} onClick={send}>
          {word}
        </Button>
        {canStop && (
          <label class="check">
            <input
              type="checkbox"
              checked={stopsTurn}
              onChange={(event) => set({ stopsTurn: event.currentTarget.checked })}
            />
            <span>and stop the turn</span>
          </label>
        )}
        <Button look="plain" onClick={() => set({ isDenying: false })}>
          Back
        </Button>
      </div>
    </div>
  );
}

function toDenial(message: string, stopsTurn: boolean): Decision {
  return { kind: 'deny', message, ...(stopsTurn && { interrupt: true }) };
}
