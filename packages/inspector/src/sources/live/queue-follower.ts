// Follows a queue that a program shows on the page, including questions that other processes wait for.
import type { Approval } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';

/** The time between two readings of a queue that has shown questions, in milliseconds. A queue does not report answers. */
const LOOK_EVERY_MS = 1000;

/** Receives the questions of the queue. */
export interface QueueReader {
  /** Whether the question is shown already. */
  isKnown(id: string): boolean;
  asked(approval: Approval): void;
  settled(id: string, result: PermissionResult | undefined, by: string | undefined): void;
  /** Is called when the queue cannot be read. */
  failed(error: unknown): void;
}

/** Follows a queue until the returned function is called, or the queue is closed. */
export function followQueue(queue: Approvals, reader: QueueReader): () => void {
  const ended = new AbortController();
  const shown = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    timer = undefined;
    const all = await queue.list({ answered: true }).catch(() => undefined);
    for (const id of all ? shown : []) {
      const found = all?.find((approval) => approval.id === id);
      if (found && !found.answer) continue;
      shown.delete(id);
      reader.settled(id, found?.answer?.result, found?.answer?.by);
    }
    plan();
  };
  const plan = (): void => {
    if (timer !== undefined || shown.size === 0 || ended.signal.aborted) return;
    timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };
  const run = async (): Promise<void> => {
    for await (const approval of queue.watch({ signal: ended.signal })) {
      if (reader.isKnown(approval.id)) continue;
      shown.add(approval.id);
      reader.asked(approval);
      plan();
    }
  };
  run().catch((error: unknown) => reader.failed(error));
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}
