// Plays one message of the model with its tool calls. It decides in which order the calls run, and reports their
// results.
import { INTERRUPTION } from '../run-state.js';
import type { ToolAnswer, ToolCall } from '../script/fake-step.js';
import type { FakeConversation } from './fake-conversation.js';
import { createToolUseId, type FakeTurn } from './fake-turn.js';
import type { PlayedToolOutcome } from './tool-runner.js';

const STOPPED_TOOL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.";

interface ToolRound {
  readonly calls: readonly ToolCall[];
  /** Whether all calls run at the same time, even those that are not read-only. */
  readonly together: boolean;
  readonly conversation: FakeConversation;
  /** Lets the host act before the next line. */
  readonly pause: () => Promise<void>;
  /** Whether a tool is started before the message is complete, as the newer CLI does. */
  readonly isEarly: boolean;
  readonly onAnswer: (answer: ToolAnswer) => void;
}

interface ToolRun {
  readonly id: string;
  /** Whether the call runs at the same time as the calls before it. */
  readonly isConcurrent: boolean;
  outcome: Promise<PlayedToolOutcome> | undefined;
  readonly start: () => Promise<PlayedToolOutcome>;
}

/** Plays the calls of one message to their last result. */
export async function playToolRound(round: ToolRound): Promise<void> {
  const { conversation, onAnswer } = round;
  const turn = await conversation.needTurn();
  conversation.isCallingTools = true;
  const runs = await writeCalls(round, turn);
  const done = new Set<string>();
  let stopsTurn = false;
  const finish = (outcome: PlayedToolOutcome): void => {
    done.add(outcome.answer.toolUseId);
    onAnswer(outcome.answer);
    reportResult(turn, outcome);
    stopsTurn ||= outcome.stopsTurn;
  };
  try {
    // Results are reported only after the model's message is complete, even if answers came before.
    await round.pause();
    for (const group of groupRuns(runs)) {
      const started = group.map((run) => run.outcome ?? run.start());
      await Promise.all(started.map(async (outcome) => finish(await outcome)));
    }
  } catch (error) {
    if (error === INTERRUPTION) {
      const open = runs.filter(({ id }) => !done.has(id));
      stopTools(conversation, turn, open);
    }
    throw error;
  }
  if (stopsTurn) throw INTERRUPTION;
  conversation.isCallingTools = false;
  conversation.foldPrompts(turn);
}

/** Writes the message of the model, and starts the calls that the newer CLI starts before the message is complete. */
async function writeCalls(round: ToolRound, turn: FakeTurn): Promise<ToolRun[]> {
  const { calls, together, conversation, pause, isEarly } = round;
  const { tools } = conversation;
  const runs: ToolRun[] = [];
  for (const [index, call] of calls.entries()) {
    const id = call.id ?? createToolUseId();
    const run: ToolRun = {
      id,
      isConcurrent: together || calls.slice(0, index + 1).every((each) => tools.isReadOnly(each)),
      outcome: undefined,
      start: () => {
        run.outcome = tools.run(call, id, turn);
        run.outcome.catch(() => {});
        return run.outcome;
      },
    };
    runs.push(run);
    if (index > 0) await pause();
    turn.useTool(id, call.name, { ...call.input });
    if (isEarly && (index === 0 || run.isConcurrent)) void run.start();
  }
  turn.closeMessage();
  return runs;
}

/** Divides the runs into groups. The runs of a group run at the same time, and the groups one after the other. */
function groupRuns(runs: readonly ToolRun[]): ToolRun[][] {
  const groups: ToolRun[][] = [];
  for (const run of runs) {
    const group = groups.at(-1);
    if (group && run.isConcurrent) group.push(run);
    else groups.push([run]);
  }
  return groups;
}

function reportResult(turn: FakeTurn, { answer, content, toolUseResult }: PlayedToolOutcome): void {
  const block = {
    tool_use_id: answer.toolUseId,
    type: 'tool_result',
    content,
    ...(answer.isError && { is_error: true }),
  };
  turn.addUserLine([block], { tool_use_result: toolUseResult });
}

function stopTools(conversation: FakeConversation, turn: FakeTurn, runs: readonly ToolRun[]): void {
  conversation.questions.dropPermissions();
  for (const { id } of runs) {
    const block = { type: 'tool_result', content: STOPPED_TOOL, is_error: true, tool_use_id: id };
    turn.addUserLine([block], { tool_use_result: `Error: ${STOPPED_TOOL}` });
  }
}
