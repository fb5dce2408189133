// Plays a reply of the model in a turn of the fake CLI, as the real CLI would handle it. A reply without a tool call is
// the last of its turn. The turn then ends before the next step that waits for the host or the model.
import { ScriptGate } from '../../script/gate.js';
import type { MessageReply, Reply, ToolUseBlock } from '../../script/reply.js';
import { waitFor } from '../own-timers.js';
import { readApiError } from '../script/check-script.js';
import type { Until } from '../script/fake-step.js';
import { createFakeContext, waitUntil, type Playing } from './playing.js';
import { playToolRound } from './tool-round.js';

/** Plays a reply to its end. As soon as there is a turn for the reply, it calls `finish`, which counts the reply as played. */
export async function playReply(reply: Reply, playing: Playing, finish: () => void): Promise<void> {
  const { conversation } = playing;
  await conversation.needTurn();
  finish();
  if (reply.delayMs !== undefined) await waitUntil(waitFor(reply.delayMs), playing);
  const until = reply.hold?.until;
  if (until instanceof ScriptGate) await waitUntil(until.enter(createFakeContext(playing)), playing);
  else if (until !== undefined) await waitUntil(until as Until, playing);
  if (!('status' in reply)) return playMessage(reply, playing);
  const apiError = readApiError(reply);
  await conversation.endTurn(apiError ? { apiError } : {});
}

async function playMessage({ blocks, stopReason }: MessageReply, playing: Playing): Promise<void> {
  const { conversation, inbox, writer, answers } = playing;
  const turn = await conversation.needTurn();
  for (const block of blocks) {
    if (block.type === 'text') turn.say(block.text);
    else if (block.type === 'thinking') turn.think(join(block.thinking));
  }
  const calls = blocks.filter((block): block is ToolUseBlock => block.type === 'tool_use');
  if (calls.length > 0) {
    await playToolRound({
      calls,
      together: false,
      conversation,
      pause: () => inbox.pause(),
      isEarly: !writer.isOld,
      onAnswer: (answer) => void answers.push(answer),
    });
  }
  // If a hook refuses the structured output, the model gets a tool error and replies again.
  const isAnswered = calls.some(({ isOutput }) => isOutput) && turn.outputEnd.structuredOutput !== undefined;
  if (calls.length === 0 || isAnswered) conversation.answer(stopReason);
}

function join(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.join('');
}
