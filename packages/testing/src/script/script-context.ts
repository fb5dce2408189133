// The context of a step that is a function, whether the fake CLI or the scripted model calls it.

/** The outcome of a tool call, as the model would read it. */
export interface ScriptAnswer {
  /** The tool's name for the model: `mcp__server__tool`, or the name of a built-in tool. */
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
  /**
   * The answer of the last tool that was called. Undefined before the first call, although the type does not say so,
   * because a script knows which tools it has called.
   */
  readonly answer: ScriptAnswer;
  /** The answers of all tools called so far. */
  readonly answers: readonly ScriptAnswer[];
}

/** The last of the answers. Undefined if there is none, although the type does not say so. */
export function lastAnswer<A extends ScriptAnswer>(answers: readonly A[]): A {
  return answers.at(-1) as A;
}

/** Calls a function of a script. If it fails because no tool has answered yet, the error says so. */
export async function callWithContext<Context extends ScriptContext, Result>(
  call: (context: Context) => Result | PromiseLike<Result>,
  context: Context,
): Promise<Result> {
  try {
    return await call(context);
  } catch (error) {
    const lacksAnswer =
      error instanceof TypeError && /\bundefined\b/.test(error.message) && context.answers.length === 0;
    if (!lacksAnswer) throw error;
    throw new TypeError(
      `${error.message}. No tool has been called yet, so "answer" is undefined in the context`,
      { cause: error },
    );
  }
}
