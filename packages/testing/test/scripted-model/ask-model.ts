// A client of the Messages API for tests of the scripted model: plain fetch, and a reader that keeps what
// came before a stream broke.
import type { ScriptedModel } from '@inboard/inboard/testing.js';

/** A request body with one user text; `more` is laid over it. */
export function createBody(userText: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: 'claude-test',
    max_tokens: 100,
    messages: [{ role: 'user', content: userText }],
    ...more,
  };
}

/** Posts a request to the model; headers and signal as in fetch. */
export function postMessage(
  model: ScriptedModel,
  body: Record<string, unknown>,
  init: { headers?: Record<string, string>; signal?: AbortSignal; path?: string } = {},
): Promise<Response> {
  return fetch(`${model.url}${init.path ?? '/v1/messages?beta=true'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...init.headers },
    body: JSON.stringify(body),
    signal: init.signal ?? null,
  });
}

/** The text a model answers to one user text. */
export async function askText(
  model: ScriptedModel,
  userText: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await postMessage(model, createBody(userText), { headers });
  const message = (await response.json()) as { content: { text: string }[] };
  return message.content.map((block) => block.text).join('');
}

export interface StreamedEvent {
  readonly name: string;
  readonly data: Record<string, unknown>;
}

/** Reads a stream to its end or its break; an event that is not complete is dropped. */
export async function readEvents(
  response: Response,
  onEvent: (event: StreamedEvent) => void = () => {},
): Promise<{ events: StreamedEvent[]; isBroken: boolean }> {
  const events: StreamedEvent[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const [name = '', data = ''] = part.split('\n').map((line) => line.replace(/^\w+: /, ''));
        const event = { name, data: JSON.parse(data) as Record<string, unknown> };
        events.push(event);
        onEvent(event);
      }
    }
    return { events, isBroken: false };
  } catch {
    return { events, isBroken: true };
  }
}
