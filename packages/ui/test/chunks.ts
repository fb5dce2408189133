// Reads streams of chunks, and says what would break a reader.
import { expect } from 'vitest';
import type { UiChunk } from '@inboard/inboard/ui.js';

export async function readChunks(stream: ReadableStream<UiChunk>): Promise<UiChunk[]> {
  const chunks: UiChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** The chunks of a response, which must end with [DONE]. */
export async function readEvents(response: Response): Promise<UiChunk[]> {
  const events = (await response.text()).split('\n\n');
  expect(events.splice(-2)).toEqual(['data: [DONE]', '']);
  // A comment keeps the connection alive while an answer takes its time.
  return events
    .filter((each) => !each.startsWith(':'))
    .map((each) => JSON.parse(each.replace(/^data: /, '')) as UiChunk);
}

export const typesOf = (chunks: readonly UiChunk[]): string[] => chunks.map(({ type }) => type);

const LAST = new Set(['finish', 'error', 'abort']);

/** What a reader could not read: a delta without its start, a part that stays open, a result of an unknown call, a second end. */
export function findFaults(chunks: readonly UiChunk[], { known = [] }: { known?: string[] } = {}): string[] {
  const faults: string[] = [];
  const open = new Set<string>();
  const used = new Set<string>();
  const calls = new Set(known);
  const approvals = new Set<string>();
  /** Calls that had their last word. */
  const over = new Set<string>();
  let stepCalls: string[] = [];
  // What is known comes from a response before, which may have ended within a step.
  let isInStep: boolean | undefined = known.length > 0 ? undefined : false;
  const check = (isFine: boolean, chunk: UiChunk): void => {
    if (!isFine) faults.push(JSON.stringify(chunk));
  };
  for (const [place, chunk] of chunks.entries()) {
    check((chunk.type === 'start') === (place === 0), chunk);
    check(LAST.has(chunk.type) === (place === chunks.length - 1), chunk);
    if ('toolCallId' in chunk) {
      check(!over.has(chunk.toolCallId), chunk);
      stepCalls.push(chunk.toolCallId);
    }
    switch (chunk.type) {
      case 'text-start':
      case 'reasoning-start':
        check(!used.has(chunk.id), chunk);
        used.add(chunk.id);
        open.add(chunk.id);
        break;
      case 'text-delta':
      case 'reasoning-delta':
        check(open.has(chunk.id) && chunk.delta !== '', chunk);
        break;
      case 'text-end':
      case 'reasoning-end':
        check(open.delete(chunk.id), chunk);
        break;
      case 'tool-input-start':
        check(!calls.has(chunk.toolCallId), chunk);
        calls.add(chunk.toolCallId);
        open.add(chunk.toolCallId);
        break;
      case 'tool-input-delta':
        check(open.has(chunk.toolCallId), chunk);
        break;
      case 'tool-input-available':
      case 'tool-input-error':
        calls.add(chunk.toolCallId);
        open.delete(chunk.toolCallId);
        if (chunk.type === 'tool-input-error') over.add(chunk.toolCallId);
        break;
      case 'tool-approval-request':
        check(calls.has(chunk.toolCallId) && !open.has(chunk.toolCallId), chunk);
        approvals.add(chunk.approvalId);
        break;
      case 'tool-approval-response':
        check(approvals.has(chunk.approvalId) || known.length > 0, chunk);
        break;
      case 'tool-output-available':
      case 'tool-output-error':
      case 'tool-output-denied':
        check(calls.has(chunk.toolCallId) && !open.has(chunk.toolCallId), chunk);
        if (!('preliminary' in chunk)) over.add(chunk.toolCallId);
        break;
      case 'reset-step':
        check(isInStep !== false, chunk);
        for (const id of stepCalls) for (const set of [calls, open, over]) set.delete(id);
        break;
      case 'start-step':
        stepCalls = [];
        check(isInStep !== true, chunk);
        isInStep = true;
        break;
      case 'finish-step':
        check(isInStep !== false, chunk);
        isInStep = false;
        break;
      default:
    }
  }
  return [...faults, ...[...open].map((id) => `${id} stays open`)];
}

export function checkChunks(chunks: readonly UiChunk[]): void {
  expect(findFaults(chunks)).toEqual([]);
}
