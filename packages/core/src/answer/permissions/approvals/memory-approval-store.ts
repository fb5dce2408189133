// Keeps questions and answers in memory, for this process alone.
import { cloneDeep } from '../../../util/deep-json.js';
import { ownMethods } from '../../../util/own-methods.js';
import type { Approval, ApprovalAnswer, ApprovalQuestion, ApprovalStore } from './approval.js';

/** Makes a store that keeps everything in memory. */
export function createMemoryApprovalStore(): ApprovalStore {
  return ownMethods(new MemoryApprovalStore());
}

class MemoryApprovalStore implements ApprovalStore {
  readonly #kept = new Map<string, Approval>();
  readonly #listeners = new Set<() => void>();

  async put(question: ApprovalQuestion): Promise<ApprovalAnswer | undefined> {
    const answer = this.#kept.get(question.id)?.answer;
    // The question is copied, as in every other store. A change to the caller's object must not change the stored
    // question.
    this.#kept.set(question.id, cloneDeep({ ...question, ...(answer && { answer }) }));
    this.#tell();
    return answer && cloneDeep(answer);
  }

  async answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    const found = this.#kept.get(id);
    if (!found || found.answer) return false;
    found.answer = cloneDeep(answer);
    this.#tell();
    return true;
  }

  async get(id: string): Promise<Approval | undefined> {
    return cloneDeep(this.#kept.get(id));
  }

  async list(): Promise<Approval[]> {
    return cloneDeep([...this.#kept.values()]);
  }

  async remove(id: string): Promise<void> {
    if (this.#kept.delete(id)) this.#tell();
  }

  watch(onChange: () => void): () => void {
    // Each call makes a new function, so that the same listener can be added twice.
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
