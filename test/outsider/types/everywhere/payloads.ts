// What the model says and is told has true types, with and without the API's client library.
import { openSession, query, type SDKMessage, type SDKUserMessage } from 'inboard';

type IsAny<T> = 0 extends 1 & T ? true : false;
type Of<Type extends SDKMessage['type']> = Extract<SDKMessage, { type: Type }>;

export const nothingIsAny: [
  IsAny<Of<'assistant'>['message']>,
  IsAny<Of<'assistant'>['message']['content']>,
  IsAny<Of<'assistant'>['message']['content'][number]>,
  IsAny<Of<'assistant'>['message']['usage']>,
  IsAny<Of<'stream_event'>['event']>,
  IsAny<SDKUserMessage['message']>,
  IsAny<SDKUserMessage['message']['content']>,
] = [false, false, false, false, false, false, false];

export async function read(): Promise<string> {
  let said = '';
  for await (const message of query({ prompt: 'x' })) {
    if (message.type === 'assistant') {
      for (const block of message.message.content) {
        if (block.type === 'text') said += block.text;
        if (block.type === 'tool_use') said += `${block.name} ${block.id} ${JSON.stringify(block.input)}`;
        // @ts-expect-error There is no such block.
        if (block.type === 'txt') said += '';
        // @ts-expect-error Not every block has a text.
        said += block.text;
      }
      const tokens: number = message.message.usage.input_tokens + message.message.usage.output_tokens;
      said += String(tokens);
      // @ts-expect-error There is no such count.
      said += String(message.message.usage.foo);
      // @ts-expect-error There is no such field.
      said += String(message.message.nope);
    }
    if (message.type === 'stream_event') {
      const { event } = message;
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') said += event.delta.text;
      // @ts-expect-error There is no such field.
      said += String(event.nope);
      // @ts-expect-error There is no such event.
      if (event.type === 'content_block_end') said += '';
    }
    if (message.type === 'user') {
      const { content } = message.message;
      if (typeof content !== 'string')
        for (const block of content) if (block.type === 'tool_result') said += block.tool_use_id;
      // @ts-expect-error There is no such field.
      said += String(message.message.text);
    }
    if (message.type === 'result' && message.subtype === 'success') {
      said += message.result;
      const spent: number = message.usage.output_tokens;
      said += String(spent);
      // @ts-expect-error There is no such count.
      said += String(message.usage.foo);
    }
    // @ts-expect-error There is no such message.
    if (message.type === 'asistant') said += '';
  }
  return said;
}

export async function send(): Promise<void> {
  const session = openSession();
  session.send('text');
  session.send([{ type: 'text', text: 'text' }]);
  session.send({ type: 'user', message: { role: 'user', content: 'text' }, parent_tool_use_id: null });
  // @ts-expect-error A message is text, blocks or a user message.
  session.send(3);
  // @ts-expect-error There is no such block.
  session.send([{ type: 'txt', text: 'text' }]);
  // @ts-expect-error A text block has a text.
  session.send([{ type: 'text' }]);
  // @ts-expect-error Content is text or blocks.
  session.send({ type: 'user', message: { role: 'user', content: 3 }, parent_tool_use_id: null });
  await session.close();
}
