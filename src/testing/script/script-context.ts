// What a step that is a function may look at, whether the fake CLI or the scripted model calls it.

/** The outcome of a tool call, as the model would read it. */
export interface ScriptAnswer {
  /** As the model knows the tool: `mcp__server__tool`, or a built-in. */
  readonly name: string;
  readonly toolUseId: string;
  /** The texts of the answer, joined. */
  readonly text: string;
  readonly isError: boolean;
}

/** What the fake CLI and the scripted model both give to a step that is a function. */
export interface ScriptContext {
  /** The text of the prompt, or prompts, of this turn. */
  readonly prompt: string;
  /** The answer of the last tool called; throws when there was none. */
  readonly answer: ScriptAnswer;
  /** The answers of all tools called so far. */
  readonly answers: readonly ScriptAnswer[];
}

/** The last of the answers, or an error that says there is none. */
export function lastAnswer<A extends ScriptAnswer>(answers: readonly A[]): A {
  const last = answers.at(-1);
  if (!last) throw new TypeError('The context has no answer: no tool has been called yet');
  return last;
}
