// Random messages in random order, as a CLI might send them or a broken one: what comes out can always be read, and ends.
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toUiMessages, toUiStream, type UiChunk } from '@inboard/inboard/ui.js';
import { AnswerTranslator } from '../src/stream/answer-translator.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { propertyOptions } from '../../../test/support/seed.js';
import { findFaults, readChunks } from './chunks.js';

/** Every type that the package `ai` knows and we send; one that is not here ends a reader's stream. */
const KNOWN_TYPES = new Set(
  `start start-step finish-step reset-step finish abort error message-metadata
   text-start text-delta text-end reasoning-start reasoning-delta reasoning-end tool-input-start tool-input-delta
   tool-input-available tool-input-error tool-approval-request tool-approval-response tool-output-available tool-output-error tool-output-denied source-url
   source-document file data-output data-status`.split(/\s+/),
);

// Answers that fail are reported to the operator of the server. There is none here.
beforeEach(() => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
});

const few = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const callId = few('c1', 'c2', 'c3');
const index = fc.integer({ min: 0, max: 2 });
const words = fc.string({ maxLength: 6 });
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: words, citations: fc.anything() }),
  fc.record({ type: fc.constant('thinking'), thinking: words }),
  fc.record({ type: few('tool_use', 'server_tool_use'), id: callId, name: words, input: fc.anything() }),
  fc.record({ type: fc.constant('web_search_tool_result'), tool_use_id: callId, content: fc.anything() }),
  fc.record({ type: fc.constant('redacted_thinking') }),
);
const event = fc.oneof(
  fc.record({ type: fc.constant('message_start'), message: fc.record({ id: few('m1', 'm2') }) }),
  fc.record({ type: fc.constant('content_block_start'), index, content_block: block }),
  fc.record({
    type: fc.constant('content_block_delta'),
    index,
    delta: fc.oneof(
      fc.record({ type: fc.constant('text_delta'), text: words }),
      fc.record({ type: fc.constant('thinking_delta'), thinking: words }),
      fc.record({ type: fc.constant('input_json_delta'), partial_json: words }),
    ),
  }),
  fc.record({ type: few('content_block_stop', 'message_stop'), index }),
);
const parent = fc.option(callId);
const message = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('stream_event'), parent_tool_use_id: fc.constant(null), event }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('assistant'),
      parent_tool_use_id: parent,
      message: fc.record({ id: few('m1', 'm2', 'm3'), content: fc.array(block, { maxLength: 2 }) }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('user'),
      parent_tool_use_id: parent,
      message: fc.record({
        content: fc.array(
          fc.record({
            type: fc.constant('tool_result'),
            tool_use_id: callId,
            content: fc.anything(),
            is_error: fc.boolean(),
          }),
          { maxLength: 2 },
        ),
      }),
    }),
  },
  fc.record({
    type: fc.constant('system'),
    subtype: few('init', 'status', 'compact_boundary', 'api_retry', 'local_command_output', 'new'),
    status: few('compacting', 'requesting'),
    content: words,
    session_id: words,
  }),
  fc.record({ type: few('tool_progress', 'something_new'), parent_tool_use_id: parent }),
  fc.record({
    type: fc.constant('result'),
    subtype: few('success', 'error_max_turns', 'error_during_execution'),
    is_error: fc.boolean(),
    result: words,
    terminal_reason: fc.option(few('completed', 'aborted_tools', 'api_error'), { nil: undefined }),
  }),
);
const approval = fc.record({
  ask: fc.boolean(),
  approvalId: few('a1', 'a2'),
  toolCallId: fc.option(callId, { nil: undefined }),
  approved: fc.boolean(),
  kind: fc.constantFrom('permission' as const, 'held' as const),
});

function checkAll(chunks: readonly UiChunk[]): void {
  expect(findFaults(chunks)).toEqual([]);
  expect(chunks.filter(({ type }) => !KNOWN_TYPES.has(type))).toEqual([]);
}

describe('random messages', () => {
  it('become chunks that can be read, with an end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 25 }), fc.boolean(), async (messages, breaks) => {
        async function* play(): AsyncGenerator<SDKMessage> {
          for (const each of messages) yield each as unknown as SDKMessage;
          if (breaks) throw new Error('broken');
        }
        checkAll(await readChunks(toUiStream(play())));
      }),
      propertyOptions(400),
    );
  });

  it('with questions and answers between them do, too', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(message, approval), { maxLength: 30 }), (steps) => {
        const chunks: UiChunk[] = [];
        const translator = new AnswerTranslator((chunk) => chunks.push(chunk));
        translator.start('m');
        for (const step of steps) {
          if (!('approvalId' in step)) translator.take(step as unknown as SDKMessage);
          else if (step.ask)
            translator.calls.ask({
              ...step,
              toolName: 't',
              input: {},
              descriptor: { kind: step.kind, attempt: 1 },
            });
          else translator.calls.answered({ ...step, input: {} });
        }
        translator.end();
        checkAll(chunks);
      }),
      propertyOptions(400),
    );
  });

  it('become messages of the past without a fault', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 15 }), (messages) => {
        const past = messages.map((each, place) => ({ ...each, uuid: `u${place}` }));
        for (const { id, parts } of toUiMessages(past as never)) {
          expect(id).toBeTruthy();
          expect(parts.length).toBeGreaterThan(0);
        }
      }),
      propertyOptions(200),
    );
  });
});
