// Decides whether a turn only waits, from what is open between its CLI and this process.
import type { LiveCli } from '../../live/live-cli.js';
import { clock } from '../../util/system/clock.js';
import type { CallRecording } from './call-recording.js';
import type { WaitReason } from './conversation-event.js';
import type { OpenToolUses } from './open-tool-uses.js';

/** How long a callback may take before it counts as waiting for a person. A callback that decides by itself is faster. */
const CALLBACK_PATIENCE_MS = 500;

/** Built-in tools whose questions need more for an answer than a yes. Only the CLI that asked can take the answer. */
const DIALOGS = new Set(['AskUserQuestion', 'ExitPlanMode', 'EnterPlanMode']);

/** What is looked at. */
export interface OpenTurnWork {
  readonly live: Pick<LiveCli, 'exchange' | 'permissions'>;
  readonly uses: OpenToolUses;
  readonly recording: Pick<CallRecording, 'recorder' | 'waits'>;
  /** Whether a tool runs in this process. */
  readonly isOwn: (toolName: string) => boolean;
}

/**
 * What the turn waits for. Undefined if something works, or if nothing is open. A number of milliseconds if a callback may
 * still answer by itself.
 */
export function findWaits({ live, uses, recording, isOwn }: OpenTurnWork): WaitReason[] | number | undefined {
  const { outbound, inbound } = live.exchange;
  if (outbound > 0 || uses.isSpeaking) return undefined;
  const { pending } = live.permissions;
  const reasons = new Set<WaitReason>();
  const asked = new Set<string>();
  let notBefore = 0;
  for (const { requestId, subtype, isLeftOpen } of inbound) {
    if (subtype === 'can_use_tool') {
      const question = pending.find((each) => each.requestId === requestId);
      if (!question || question.agentID !== undefined || DIALOGS.has(question.toolName)) return undefined;
      // Another process could not find a question that is not recorded yet.
      if (recording.recorder && !recording.recorder.questions.isAsked(requestId))
        notBefore = Math.max(notBefore, 1);
      const ageMs = clock.Date.now() - question.askedAt;
      if (!isLeftOpen) notBefore = Math.max(notBefore, CALLBACK_PATIENCE_MS - ageMs);
      asked.add(question.toolUseID);
      reasons.add('person');
    } else if (subtype === 'mcp_message') {
      const callKey = recording.recorder?.keyOf(requestId);
      const activity = callKey === undefined ? undefined : recording.waits.get(callKey);
      if (activity === undefined || activity === 'working') return undefined;
      reasons.add(activity);
    } else return undefined;
  }
  // Each listed question must be one that the CLI waits for.
  if (reasons.size === 0 || pending.length !== asked.size) return undefined;
  // The CLI may be running one of its own tools, or a subagent. It has not reached the others yet.
  for (const [toolUseId, toolName] of uses.entries())
    if (!isOwn(toolName) && !asked.has(toolUseId)) return undefined;
  return notBefore > 0 ? notBefore : [...reasons];
}
