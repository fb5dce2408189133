// One message of the model with its tool calls: in which order they run, and how their results are reported.
import { randomUUID } from 'node:crypto';
import type { FakeConversation } from './fake-conversation.js';
import { INTERRUPTED, OVER } from '../run-state.js';
import type { FakeStep, ToolAnswer } from '../script/fake-step.js';
import type { ToolOutcome } from './tool-runner.js';
import type { FakeTurn } from './fake-turn.js';

const STOPPED_TOOL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.";

interface ToolRound {
  readonly step: Extract<FakeStep, { do: 'useTools' }>;
  readonly conversation: FakeConversation;
  /** Lets the host act before the next line. */
  readonly pause: () => Promise<void>;
  /** The newer CLI starts a tool before the message is complete, the older one does not. */
  readonly isEarly: boolean;
  readonly onAnswer: (answer: ToolAnswer) => void;
}

/** Plays the calls of one message to their last result. */
export async function playToolRound({
  step,
  conversation,
  pause,
  isEarly,
  onAnswer,
}: ToolRound): Promise<void> {
  const { calls, together } = step;
  const { tools } = conversation;
  const turn = await conversation.needTurn();
  const runs: Array<{ id: string; outcome: Promise<ToolOutcome> | undefined }> = [];
  const isConcurrent = (index: number): boolean =>
    together || index === 0 || calls.slice(0, index + 1).every((call) => tools.isReadOnly(call));
  const start = (index: number): Promise<ToolOutcome> => {
    const call = calls[index];
    const run = runs[index];
    if (!call || !run) throw OVER;
    const outcome = tools.run(call, run.id, turn);
    outcome.catch(() => {});
    run.outcome = outcome;
    return outcome;
  };
  conversation.isCallingTools = true;
  for (const [index, call] of calls.entries()) {
    const id = call.id ?? `toolu_fake_${randomUUID().slice(0, 8)}`;
    runs.push({ id, outcome: undefined });
    if (index > 0) await pause();
    turn.useTool(id, call.name, { ...call.input });
    if (isEarly && isConcurrent(index)) void start(index);
  }
  turn.closeMessage();
  const done = new Set<string>();
  let stopsTurn = false;
  const finish = (outcome: ToolOutcome): void => {
    done.add(outcome.answer.toolUseId);
    onAnswer(outcome.answer);
    reportResult(turn, outcome);
    stopsTurn ||= outcome.stopsTurn;
  };
  try {
    // Even when answers came meanwhile: no result is reported before all calls are sent.
    await pause();
    for (let index = 0; index < runs.length;) {
      let next = index;
      while (next < runs.length && (next === index || isConcurrent(next))) next += 1;
      const group = runs.slice(index, next);
      const started = group.map(({ outcome }, offset) => outcome ?? start(index + offset));
      await Promise.all(started.map(async (outcome) => finish(await outcome)));
      index = next;
    }
  } catch (error) {
    if (error === INTERRUPTED)
      stopTools(
        conversation,
        turn,
        runs.map(({ id }) => id).filter((id) => !done.has(id)),
      );
    throw error;
  }
  if (stopsTurn) throw INTERRUPTED;
  conversation.isCallingTools = false;
  conversation.foldPrompts(turn);
}

function reportResult(turn: FakeTurn, { answer, content, toolUseResult }: ToolOutcome): void {
  const block = {
    tool_use_id: answer.toolUseId,
    type: 'tool_result',
    content,
    ...(answer.isError && { is_error: true }),
  };
  turn.addUserLine([block], { tool_use_result: toolUseResult });
}

function stopTools(conversation: FakeConversation, turn: FakeTurn, ids: readonly string[]): void {
  conversation.questions.dropPermissions();
  for (const id of ids) {
    const block = { type: 'tool_result', content: STOPPED_TOOL, is_error: true, tool_use_id: id };
    turn.addUserLine([block], { tool_use_result: `Error: ${STOPPED_TOOL}` });
  }
}
