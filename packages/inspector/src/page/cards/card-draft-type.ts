// A card in the middle of being answered, as data. Types only.
import type { FormDraft } from '../../model/form/form-draft.js';
import type { ActionError } from '../../model/page-contract.js';

/** What was chosen for one of the model's questions. */
export interface Picked {
  labels: readonly string[];
  /** In the person's own words. */
  own: string;
}

/** A card in the middle of being answered. */
export interface CardDraft {
  /** The input, or the values that are asked for. */
  form: FormDraft;
  /** By the place of the question. */
  picks: Readonly<Record<number, Picked>>;
  /** Which suggestions "allow always" takes. */
  remember: readonly number[];
  isDenying: boolean;
  reason: string;
  stopsTurn: boolean;
  /** Whether somebody tried to send it: from then on missing fields are named. */
  isTried: boolean;
  /** `sent` is answered, and the server has not taken it off the list yet. */
  state: 'open' | 'sending' | 'sent';
  error: ActionError | undefined;
}
