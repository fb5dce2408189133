// An answer that was cut off, for a reader that follows: what it has from the records, and what a session adds.
import { expect, it } from 'vitest';
import type { UiChunk } from '@inboard/inboard/ui.js';
import { CutOffAnswer, type RecordedQuestionState } from '../src/history/recorded-answer.js';
import { readRecorded } from '../src/chat/recorded-stream.js';
import { readEvents } from './chunks.js';

const question = {
  approvalId: 'q',
  toolCallId: 'call',
  toolName: 'ship',
  input: {},
  descriptor: { kind: 'permission' },
} as unknown as RecordedQuestionState['question'];

it('drops only the question that the page has when its session asks it again', async () => {
  const cutOff = new CutOffAnswer('u', { messages: [], calls: [], questions: [{ question }] });
  const rest = [
    { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'call' },
    { type: 'tool-approval-request', approvalId: 'r', toolCallId: 'call' },
    { type: 'tool-approval-response', approvalId: 'q', toolCallId: 'call', approved: true },
  ];
  const events = readRecorded(
    cutOff,
    {},
    {
      findRest: () =>
        new ReadableStream({
          start: (controller) => {
            for (const chunk of rest) controller.enqueue(`data: ${JSON.stringify(chunk)}\n\n`);
            controller.enqueue('data: [DONE]\n\n');
            controller.close();
          },
        }) as never,
      watch: (onChange) => {
        onChange();
        return () => {};
      },
      isWaiting: async () => true,
    },
  );
  const body = events.pipeThrough(new TextEncoderStream());
  const chunks: UiChunk[] = await readEvents(new Response(body));
  const asked = chunks.filter(({ type }) => type.startsWith('tool-approval'));
  expect(asked).toEqual([expect.objectContaining({ approvalId: 'q' }), ...rest.slice(1)]);
});
