// What subagents do, as what their call has given so far: their texts and the names of the tools they use. A subagent of a
// subagent counts to the call in the main conversation.

/** Characters of it that are kept: what a page shows of work in progress. */
const MOST_CHARACTERS = 4000;

/** The subagents of one answer. */
export class Subagents {
  /** By call of a subagent: the call that started that subagent. */
  readonly #parents = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  /** A subagent makes a call itself. */
  noteCall(id: string, parent: string): void {
    this.#parents.set(id, parent);
  }

  /** The call of the main conversation that a subagent belongs to. */
  rootOf(parent: string): string {
    let root = parent;
    const seen = new Set<string>();
    for (let next = this.#parents.get(root); next !== undefined && !seen.has(root);) {
      seen.add(root);
      root = next;
      next = this.#parents.get(root);
    }
    return root;
  }

  /** Adds a line and gives all of it. */
  add(root: string, line: string): string {
    const before = this.#texts.get(root);
    const whole = before === undefined ? line : `${before}\n${line}`;
    const text = whole.length > MOST_CHARACTERS ? `…${whole.slice(1 - MOST_CHARACTERS)}` : whole;
    this.#texts.set(root, text);
    return text;
  }
}
