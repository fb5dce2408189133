// What each kind of step does, with one row for each kind. The player decides about the order of steps and about
// interrupted turns. The conversation, the turn, the tools and the tasks decide what a step writes.
import type { AskedQuestion } from '../host/host-connection.js';
import { OVER } from '../run-state.js';
import type { FakeStep, PromptMatcher, Until } from '../script/fake-step.js';
import { createToolUseId } from './fake-turn.js';
import { playReply } from './play-reply.js';
import { waitUntil, type Playing } from './playing.js';
import { playToolRound } from './tool-round.js';

type Of<Name extends FakeStep['do']> = Extract<FakeStep, { do: Name }>;

type Plays = {
  readonly [Name in FakeStep['do']]: (
    step: Of<Name>,
    playing: Playing,
    /** Removes the step from the script early. Without this call, the player removes the step when it is over. */
    finish: () => void,
  ) => void | Promise<void>;
};

// These steps wait for the host, or ask the model again. If the model has given its last reply, the turn ends before
// them.
const ENDS_AN_ANSWERED_TURN: ReadonlySet<FakeStep['do']> = new Set([
  'reply',
  'expectControl',
  'expectLine',
  'expectEnd',
]);

const PLAYS: Plays = {
  reply: ({ reply }, playing, finish) => playReply(reply, playing, finish),
  say: async ({ text }, { conversation }) => (await conversation.needTurn()).say(text),
  think: async ({ text }, { conversation }) => (await conversation.needTurn()).think(text),
  useTools: ({ calls, together }, { conversation, inbox, writer, answers }) =>
    playToolRound({
      calls,
      together,
      conversation,
      pause: () => inbox.pause(),
      isEarly: !writer.isOld,
      onAnswer: (answer) => void answers.push(answer),
    }),
  askPermission: async ({ tool, input, fields, cancelWhen }, playing) => {
    await playing.conversation.needTurn();
    const asked = playing.conversation.questions.askPermission({
      subtype: 'can_use_tool',
      tool_name: tool,
      input,
      tool_use_id: createToolUseId(),
      ...fields,
    });
    await keepReply(asked, cancelWhen, playing);
  },
  fireHook: async ({ event, input, cancelWhen }, playing) => {
    await waitForInitialize(playing);
    const { outputs } = await playing.conversation.questions.fireHooks(event, input, { cancelWhen });
    playing.reply = outputs[0];
  },
  ask: async ({ request, cancelWhen }, playing) => {
    await waitForInitialize(playing);
    await keepReply(playing.host.ask(request), cancelWhen, playing);
  },
  startTask: async ({ task }, { conversation }) =>
    conversation.tasks.start(task, await conversation.needTurn()),
  finishTask: async (step, playing) => {
    await waitForInitialize(playing);
    playing.conversation.finishTask(step);
  },
  compact: (_, { conversation }) => conversation.compact(),
  send: ({ message }, { writer }) => writer.send(message),
  // The step is finished before the result is sent, because the test may check on the result whether the script is over.
  endTurn: ({ end }, { conversation }, finish) => conversation.endTurn(end, finish),
  expectPrompt: async ({ matcher }, { conversation, state }) => {
    if (conversation.turn) await conversation.endTurn({});
    await conversation.needTurn();
    const { prompt } = conversation;
    if (matcher === undefined || matchesPrompt(matcher, prompt)) return;
    state.complain(`the prompt is not what the script expects (${String(matcher)}): ${prompt}`);
  },
  expectControl: async ({ subtype, matcher }, { state, inbox }) => {
    await inbox.waitFor(() =>
      state.requests.find((request) => request['subtype'] === subtype && (matcher?.(request) ?? true)),
    );
  },
  expectLine: async ({ matcher, name }, { conversation, state, inbox, taken }) => {
    await inbox.waitFor(() => {
      const line = taken.take(matcher, name);
      if (line === undefined && state.isInputEnded) throw conversation.abandon();
      return line;
    });
  },
  expectEnd: async (_, { state, inbox }) => {
    await inbox.waitFor(() => state.hasInputEnded || undefined);
  },
  respond: ({ body, to }, { lines, taken }) => {
    const response = { request_id: taken.findRequestId(to), ...body };
    lines.write('response', JSON.stringify({ type: 'control_response', response }));
  },
  stall: async ({ until }, { conversation, state, inbox }) => {
    if (!state.settings.isByHand) await conversation.needTurn();
    if (until !== undefined) return waitUntil(until, { state, inbox });
    await inbox.waitFor(() => {
      // After the end of the input the host cannot interrupt, so a stall without a promise would never end.
      if (state.isInputEnded) throw conversation.abandon();
      return undefined;
    });
  },

  // Faults between the CLI and its pipes.
  crash: ({ code = 1, signal, stderr }, playing) => {
    playing.isDone = true;
    playing.host.leave({ code, stderr, ...(signal !== undefined && { signal }) });
    throw OVER;
  },
  inChunks: ({ bytes, steps }, { lines, script }) => {
    lines.chunkBytes = bytes;
    if (bytes > 0) script.insertBehindNext(...steps, { do: 'inChunks', bytes: 0, steps: [] });
  },
  raw: ({ text }, { lines }) => lines.writeRaw(text),
  repeat: ({ what }, { host }) => host.repeat(what),
  holdAnswers: (_, { host }) => host.holdAnswers(),
  releaseAnswers: ({ order }, { host }) => host.releaseAnswers(order),
  stderr: ({ text }, { pipes }) => pipes.stderr(text),
  closeInput: (_, { pipes }) => pipes.closeInput(),
  closeOutput: (_, { pipes }) => pipes.closeOutput(),
  stopReading: (_, { pipes }) => pipes.setReading(false),
  readOn: (_, { pipes }) => pipes.setReading(true),
  ignore: ({ what }, { pipes, state }) => {
    if (what === 'SIGTERM') pipes.ignoreTerm();
    else state.ignoresEnd = true;
  },
};

/** The kinds of steps there are. */
export const STEP_KINDS: ReadonlySet<string> = new Set(Object.keys(PLAYS));

/** Ends a turn in which the model has given its last reply, unless the next item still belongs to the turn. */
export async function endAnsweredTurn(
  item: FakeStep['do'] | 'function',
  { conversation }: Playing,
): Promise<void> {
  if (conversation.isAnswered && (item === 'function' || ENDS_AN_ANSWERED_TURN.has(item))) {
    await conversation.endTurn({});
  }
}

/**
 * Plays one step to its end. Throws `OVER` if the run ends before, and `INTERRUPTION` if the turn does. It is
 * synchronous if the step need not wait.
 */
export function playStep(step: FakeStep, playing: Playing, finish: () => void): void | Promise<void> {
  const play = PLAYS[step.do] as (...args: [FakeStep, Playing, () => void]) => void | Promise<void>;
  return play(step, playing, finish);
}

async function keepReply(
  { question, reply }: AskedQuestion,
  cancelWhen: Until | undefined,
  playing: Playing,
): Promise<void> {
  playing.host.cancelWhen(question, cancelWhen);
  const answer = await reply;
  playing.reply = answer.kind === 'success' ? answer.response : undefined;
}

async function waitForInitialize({ inbox, state }: Playing): Promise<void> {
  await inbox.waitFor(() => state.initialize);
}

function matchesPrompt(matcher: PromptMatcher, prompt: string): boolean {
  if (typeof matcher === 'string') return prompt.includes(matcher);
  return typeof matcher === 'function' ? matcher(prompt) : new RegExp(matcher).test(prompt);
}
