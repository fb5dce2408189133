// A long answer of the model, as partial messages: blocks of a hundred deltas, each closed by the whole message.
import { writeAll } from './blocking-lines.mjs';

const DELTAS = 100;
const SENTENCE = 'The quick brown fox jumps over the lazy dog. ';
const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Writes about `megabytes`, with `characters` of text in each delta, as fast as the host reads; gives what was written. */
export function streamMessages({ megabytes, characters }) {
  const { bytes, count } = createBlock(characters);
  const blocks = Math.max(1, Math.round((megabytes * 1e6) / bytes.length));
  for (let block = 0; block < blocks; block += 1) writeAll(bytes);
  return { bytes: blocks * bytes.length, messages: blocks * count };
}

function createBlock(characters) {
  const text = SENTENCE.repeat(Math.ceil(characters / SENTENCE.length)).slice(0, characters);
  const message = {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'fake-model',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: USAGE,
  };
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
  const stop = { stop_reason: 'end_turn', stop_sequence: null };
  const lines = [
    event({ type: 'message_start', message }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: DELTAS }, () => event(delta)),
    frame({
      type: 'assistant',
      message: { ...message, content: [{ type: 'text', text: text.repeat(DELTAS) }] },
    }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: stop, usage: USAGE }),
    event({ type: 'message_stop' }),
  ];
  return { bytes: Buffer.from(lines.join('')), count: lines.length };
}

function event(content) {
  return frame({ type: 'stream_event', event: content });
}

function frame(fields) {
  const ids = {
    session_id: '57d460cf-0000-4000-8000-000000000001',
    uuid: '57ea3000-0000-4000-8000-000000000001',
  };
  return `${JSON.stringify({ ...fields, parent_tool_use_id: null, ...ids })}\n`;
}
