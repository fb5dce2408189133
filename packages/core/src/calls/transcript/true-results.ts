// Finds the true results that a transcript has already. When the CLI has given the calls of a reply false results, the reply is
// written again as a copy (`copied-call`), and the copy needs the true results, too.
import { copiedCallId, isCopyOfReply } from '../../record/history/transcript/copied-call.js';
import type { CallResult } from './completion-entry.js';
import { isFalseResult } from './false-result.js';
import { listResults, type TranscriptCall } from './open-calls.js';
import type { TranscriptIndex } from './transcript-index.js';

/** The true result of a call in the transcript; undefined if there is none. */
export function readTrueResult(index: TranscriptIndex, toolUseId: string): CallResult | undefined {
  const found = listResults(index, toolUseId).find(({ block }) => !isFalseResult(block));
  if (!found) return undefined;
  const { toolUseResult } = found.node.location.entry;
  const content = found.block['content'];
  return {
    content: typeof content === 'string' || Array.isArray(content) ? content : '',
    ...(found.block['is_error'] === true && { is_error: true }),
    ...(toolUseResult !== undefined && { toolUseResult }),
  };
}

/**
 * The calls of a copied reply that lack a result which the original has, each with that result. There are such calls if a
 * process crashed after it wrote the copy and before it wrote the results.
 */
export function listResultsToCopy(
  index: TranscriptIndex,
  calls: readonly TranscriptCall[],
): [TranscriptCall, CallResult][] {
  const open = calls.filter(({ state, hasReplyAfter }) => state === 'open' && !hasReplyAfter);
  const [first] = open;
  const original = first && index.messageIds.find((id) => isCopyOfReply(first.messageId, id));
  if (original === undefined) return [];
  const results = new Map(
    index
      .partsOf(original)
      .flatMap((part) => part.toolUses.map((id) => [copiedCallId(id), readTrueResult(index, id)])),
  );
  return open.flatMap((call) => {
    const result = results.get(call.toolUseId);
    return result ? [[call, result]] : [];
  });
}
