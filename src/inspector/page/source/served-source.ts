// Reads from the server the page came from: history and deeds by request, what happens by server-sent events.
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import type { Action, ActionResult, EventBatch, ServerState } from '../../model/page-contract.js';
import type { PageSource } from '../page-source.js';
import { query } from './query.js';
import { followStream } from './event-stream.js';
import { SourceFailure } from './source-failure.js';

/** The source of a page that a server sent. */
export function createServedSource(): PageSource {
  return {
    kind: 'served',
    state: async () => (await readJson('api/state')) as ServerState,
    read: async (session, after, limit) =>
      (await readJson(`api/events?${query({ session, after, limit })}`)) as EventBatch,
    readWhole: async (session, n) => {
      const response = await request(`api/line?${query({ session, n })}`);
      return response.status === 404 ? undefined : await textOf(response);
    },
    follow: followStream,
    act,
  };
}

async function readJson(path: string): Promise<unknown> {
  const response = await request(path);
  if (!response.ok) throw new SourceFailure('unreachable', await describe(response));
  try {
    return await response.json();
  } catch (error) {
    throw new SourceFailure('unreachable', `The answer to ${path} broke off or is not JSON.`, error);
  }
}

async function request(path: string, options?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options });
  } catch (error) {
    throw new SourceFailure('unreachable', 'The server does not answer.', error);
  }
  if (response.status === 401) throw new SourceFailure('refused', 'The server no longer knows this browser.');
  return response;
}

async function textOf(response: Response): Promise<string> {
  if (!response.ok) throw new SourceFailure('unreachable', await describe(response));
  return await response.text();
}

async function describe(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  return `The server answered ${response.status}${text === '' ? '' : `: ${text.slice(0, 200)}`}`;
}

async function act(action: Action): Promise<ActionResult> {
  try {
    const response = await request('api/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-inboard': '1' },
      body: JSON.stringify(action),
    });
    const result: unknown = await response.json().catch(() => undefined);
    if (isRecord(result) && typeof result['ok'] === 'boolean') return result as unknown as ActionResult;
    return { ok: false, error: { code: 'SERVER', message: `The server answered ${response.status}.` } };
  } catch (error) {
    const isRefused = error instanceof SourceFailure && error.kind === 'refused';
    return { ok: false, error: { code: isRefused ? 'REFUSED' : 'UNREACHABLE', message: messageOf(error) } };
  }
}
