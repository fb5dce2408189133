// What a page reads from a conversation: the parts of its stream, and what was said before.
export type Chunk = { type: string; delta?: string; toolName?: string; errorText?: string };

export function post(chat: string, text: string, origin = 'http://127.0.0.1'): Request {
  const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  const body = JSON.stringify({ id: chat, messages: [message] });
  return new Request(`${origin}/api/chat`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
}

export async function readChunks(response: Response): Promise<Chunk[]> {
  if (response.status !== 200 && response.status !== 204)
    throw new Error(`${response.status}: ${await response.text()}`);
  const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: {'));
  return events.map((event) => JSON.parse(event.slice('data: '.length)) as Chunk);
}

export async function readText(response: Response): Promise<string> {
  return (await readChunks(response))
    .flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : []))
    .join('');
}
