// The draft of an answer on a card. Types only.
import type { FormDraft } from '../../model/form/form-draft.js';
import type { ActionError } from '../../model/page-contract.js';

/** The choice for one of the model's questions. */
export interface Picked {
  labels: readonly string[];
  /** An answer in the person's own words; empty if there is none. */
  own: string;
}

export interface CardDraft {
  /** The input, or the values that are asked for. */
  form: FormDraft;
  /** The choices, by the index of the question. */
  picks: Readonly<Record<number, Picked>>;
  /** The indexes of the suggestions that "allow always" takes. */
  remember: readonly number[];
  /** The result of a pending call, as JSON that is being written. */
  value: string;
  isDenying: boolean;
  reason: string;
  stopsTurn: boolean;
  /** Whether the person has tried to send it. From then on, missing fields are marked. */
  isTried: boolean;
  /** In `sent`, the question was answered, but the server has not removed it from the list yet. */
  state: 'open' | 'sending' | 'sent';
  error: ActionError | undefined;
}
