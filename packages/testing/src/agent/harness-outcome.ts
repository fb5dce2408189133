// What a call of the tool harness gives: the answer as the model gets it, and what was reported in the meantime.
import { isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { CallToolResult, ToolContent } from '@inboard/core/answer/mcp/result/tool-content.js';
import type { ToolEvent, ToolProgress } from '@inboard/core/answer/mcp/tool/tool-events.js';

/** The result of a call: the answer as the model gets it, and what was reported in the meantime. */
export interface HarnessOutcome {
  /** False if the model gets an error: the handler threw or took too long, or the arguments or the tool's name were wrong. */
  ok: boolean;
  content: ToolContent[];
  /** All text of the answer. */
  text: string;
  /** The `structuredContent` of the answer, if it has any. */
  structured: unknown;
  result: CallToolResult;
  progress: ToolProgress[];
  /** Everything that happened to the call, in order. */
  events: ToolEvent[];
}

/** Describes what a call gave. `reported` is the progress that the server sent as messages. */
export function describeHarnessOutcome(
  result: CallToolResult,
  events: ToolEvent[],
  reported: ToolProgress[],
): HarnessOutcome {
  const content = result.content ?? [];
  const progress = events.flatMap((event) => (event.type === 'progress' ? [pickProgress(event)] : []));
  return {
    ok: result.isError !== true,
    content,
    text: content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n'),
    structured: result.structuredContent,
    result,
    // A server that is not ours reports progress only as MCP messages, not as events.
    progress: progress.length > 0 ? progress : reported,
    events,
  };
}

/** The progress of one call among the messages of a server. */
export function readProgress(notifications: readonly object[], token: number): ToolProgress[] {
  return notifications.flatMap((message) => {
    const { method, params } = message as { method?: unknown; params?: unknown };
    if (method !== 'notifications/progress' || !isRecord(params) || params['progressToken'] !== token)
      return [];
    return [pickProgress(params as unknown as ToolProgress)];
  });
}

function pickProgress({ progress, total, message }: ToolProgress): ToolProgress {
  return withoutUndefined({ progress, total, message });
}
