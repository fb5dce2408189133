// Names a question of a tool's handler by its call, its title and its input, so that the same question finds its
// answer when it is asked again after a restart.
import { InvalidOptionsError } from '../../../errors.js';
import { canonicalJson } from '../../../util/canonical-json.js';
import { digest } from '../../../util/digest.js';

/** A question of a tool's handler. */
export interface ApprovalRequest {
  /** The text that a person reads. */
  title: string;
  description?: string | undefined;
  /** The input to confirm. The answer may change it (`updatedInput`). */
  input?: Record<string, unknown> | undefined;
  /**
   * The id of the question. It is required only outside a tool call. By default it is made from the call's key, the
   * title and the input.
   */
  id?: string | undefined;
}

/** The call that a question belongs to: the second argument of a tool's handler. */
export interface ApprovalContext {
  readonly callKey?: string | undefined;
  readonly attempt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** Tells the group of a conversation that it is waiting for a person. */
  readonly waitFor?: (<T>(answer: PromiseLike<T>) => Promise<T>) | undefined;
}

/** One per queue. Counts how often a call has asked the same question. */
export class QuestionNames {
  readonly #asked = new WeakMap<object, Map<string, number>>();

  nameQuestion({ title, input }: ApprovalRequest, context: ApprovalContext): string {
    const { callKey } = context;
    if (callKey === undefined) {
      throw new InvalidOptionsError(
        ['id'],
        'A question outside a tool call needs an id; inside one, pass the second argument of the handler as context',
      );
    }
    const wording = digest(canonicalJson([title, input])).slice(0, 12);
    const counts = this.#asked.get(context) ?? new Map<string, number>();
    this.#asked.set(context, counts);
    const ordinal = (counts.get(wording) ?? 0) + 1;
    counts.set(wording, ordinal);
    return `${callKey}_ask_${wording}_${ordinal}`;
  }
}
