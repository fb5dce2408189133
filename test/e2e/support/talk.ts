// How cases speak and listen: a prompt that is spoken bit by bit, and reading up to a message.
import type { Act } from './stage.js';
import type { ModelRequest, Query, SDKMessage, SDKResultMessage } from './inboard.js';

/** A prompt that stays open until it is ended. */
export interface Talk {
  readonly prompt: ReadableStream<string>;
  say(words: string): void;
  end(): void;
}

/** Opens a talk that begins with the given words. */
export function openTalk(...words: string[]): Talk {
  let mouth: ReadableStreamDefaultController<string> | undefined;
  const prompt = new ReadableStream<string>({
    start(controller) {
      mouth = controller;
      for (const each of words) controller.enqueue(each);
    },
  });
  return { prompt, say: (each) => mouth?.enqueue(each), end: () => mouth?.close() };
}

/** Reads up to the first message that fits and gives all of them; throws when the query ends before. */
export async function readUntil(query: Query, fits: (message: SDKMessage) => boolean): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for (;;) {
    const step = await query.next();
    if (step.done === true) throw new Error(`The query ended after ${describe(messages)}`);
    messages.push(step.value);
    if (fits(step.value)) return messages;
  }
}

/** Reads the rest of a turn: up to its result. */
export async function readTurn(query: Query): Promise<{ messages: SDKMessage[]; result: SDKResultMessage }> {
  const messages = await readUntil(query, (message) => message.type === 'result');
  return { messages, result: messages.at(-1) as SDKResultMessage };
}

/** Says something and reads the turn that answers it. */
export async function ask(act: Act, talk: Talk, words: string): ReturnType<typeof readTurn> {
  talk.say(words);
  return await readTurn(act.query);
}

/** Reads to the end; what the iteration throws is given as `error`. */
export async function readRest(query: Query): Promise<{ messages: SDKMessage[]; error: unknown }> {
  const messages: SDKMessage[] = [];
  try {
    for await (const message of query) messages.push(message);
  } catch (error) {
    return { messages, error };
  }
  return { messages, error: undefined };
}

/** The results among messages. */
export function resultsOf(messages: readonly SDKMessage[]): SDKResultMessage[] {
  return messages.filter((message) => message.type === 'result');
}

/** The texts the model spoke. */
export function textsOf(messages: readonly SDKMessage[]): string[] {
  return messages.flatMap((message) =>
    message.type === 'assistant'
      ? message.message.content.flatMap((block) => (block.type === 'text' ? block.text : []))
      : [],
  );
}

/** What user and model said in a request, in order, without what the CLI adds in tags of its own. */
export function spokenIn(request: ModelRequest): string[] {
  return request.messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
    .flatMap((block) => (block.type === 'text' ? String(block['text']).trim() : []))
    .filter((words) => !words.startsWith('<'));
}

/** Type, and subtype if there is one, of each message. */
export function kindsOf(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) =>
    'subtype' in message ? `${message.type}/${message.subtype}` : message.type,
  );
}

function describe(messages: readonly SDKMessage[]): string {
  return messages.length === 0 ? 'no message' : kindsOf(messages).join(', ');
}
