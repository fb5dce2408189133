// Makes the id of a question that a tool's handler asks, from its call, its title and its input. When the same question
// is asked again after a restart, it gets the same id and finds its answer.
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
   * The id of the question. Outside a tool call it is required. Inside one, it is made from the call's key, the title and
   * the input by default.
   */
  id?: string | undefined;
}

/** The call that a question belongs to. The second argument of a tool's handler can be passed. */
export interface ApprovalContext {
  readonly callKey?: string | undefined;
  readonly attempt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** Waits for the answer, and lets other conversations of the group run in the meantime. */
  readonly waitForPerson?: (<T>(answer: PromiseLike<T>) => Promise<T>) | undefined;
}

/** Names the questions of one queue. It counts how often a call has asked the same question. */
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
