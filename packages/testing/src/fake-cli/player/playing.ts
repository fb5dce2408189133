// The state that all code for playing steps shares: the parts of the run, the script, and the results of earlier steps.
import { lastAnswer } from '../../script/script-context.js';
import type { RunParts } from '../run-parts.js';
import type { FakeContext, ToolAnswer, Until } from '../script/fake-step.js';
import type { RemainingScript } from '../script/remaining-script.js';
import type { FakeConversation } from './fake-conversation.js';

/** What the steps of a script use and change. */
export interface Playing extends RunParts {
  readonly conversation: FakeConversation;
  readonly script: RemainingScript;
  /** The answers of all tools called so far. */
  readonly answers: ToolAnswer[];
  /** The host's answer to the last question of the script. */
  reply: unknown;
  /** Whether no further step is expected: the script was played to its end, failed or crashed. */
  isDone: boolean;
}

/** The argument of a step that is a function. */
export function createFakeContext({ state, conversation, answers, reply, taken }: Playing): FakeContext {
  const { index, launch, initialize = {} } = state;
  return {
    index,
    prompt: conversation.prompt,
    get answer() {
      return lastAnswer(answers);
    },
    answers,
    reply,
    line: taken.last,
    args: launch.args,
    env: launch.env,
    initialize,
  };
}

/** Waits until a promise of the test settles. Fails if the turn or the run ends before. */
export async function waitUntil(
  until: Until,
  { state, inbox }: Pick<Playing, 'state' | 'inbox'>,
): Promise<void> {
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    state.notify();
  };
  void Promise.resolve(until).then(finish, finish);
  await inbox.waitFor(() => (isOver ? true : undefined));
}
