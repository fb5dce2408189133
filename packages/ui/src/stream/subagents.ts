// Shows the work of a subagent as the preliminary output of the call that started it: its texts, and the names of the tools it
// uses. The work of its own subagents is shown in the same place.

/** How many characters of a call's preliminary output are kept: the last ones, which is enough to show work in progress. */
const MOST_CHARACTERS = 4000;

/** The subagents of one answer. */
export class Subagents {
  /** For each call that a subagent makes, by its id: the call that started the subagent. */
  readonly #parents = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  /** Notes that a subagent makes a call. */
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

  /** Adds a line to the output of a call, and returns the output. */
  add(root: string, line: string): string {
    const before = this.#texts.get(root);
    const whole = before === undefined ? line : `${before}\n${line}`;
    const text = whole.length > MOST_CHARACTERS ? `…${whole.slice(1 - MOST_CHARACTERS)}` : whole;
    this.#texts.set(root, text);
    return text;
  }
}
