// The source of a page that a server sent: past events and actions by requests, new events by server-sent events.
import { isRecord } from '@inboard/core/util/guards.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { AuditPart } from '../../model/audit-part.js';
import type { Action, ActionResult, EventBatch, ServerState } from '../../model/page-contract.js';
import type { PageSource } from '../page-source.js';
import { toPost, type Ask } from './entry.js';
import { followStream } from './event-stream.js';
import { encodeQuery } from './encode-query.js';
import { SourceFailure } from './source-failure.js';

export function createServedSource(ask: Ask): PageSource {
  let blank: Promise<string> | undefined;
  return {
    kind: 'served',
    state: async () => (await readJson(ask, 'api/state')) as ServerState,
    read: async (session, after, limit) =>
      (await readJson(ask, `api/events?${encodeQuery({ session, after, limit })}`)) as EventBatch,
    readWhole: async (session, n) => {
      const response = await request(ask, `api/line?${encodeQuery({ session, n })}`);
      return response.status === 404 ? undefined : await textOf(response);
    },
    audit: async (query) => (await readJson(ask, `api/audit?${encodeQuery({ ...query })}`)) as AuditPart,
    blankPage: () =>
      (blank ??= readText(ask, 'api/blank-page').catch((error: unknown) => {
        // The next call tries again.
        blank = undefined;
        throw error;
      })),
    follow: (at, listener) => followStream(ask, at, listener),
    act: async (action) => await act(ask, action),
  };
}

async function readJson(ask: Ask, path: string): Promise<unknown> {
  const response = await request(ask, path);
  if (!response.ok) throw new SourceFailure('unreachable', await describe(response));
  try {
    return await response.json();
  } catch (error) {
    throw new SourceFailure('unreachable', `The answer to ${path} broke off or is not JSON.`, error);
  }
}

async function readText(ask: Ask, path: string): Promise<string> {
  return await textOf(await request(ask, path));
}

async function request(ask: Ask, path: string, options?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await ask(path, options);
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

async function act(ask: Ask, action: Action): Promise<ActionResult> {
  try {
    const response = await request(ask, 'api/act', toPost(action));
    const result: unknown = await response.json().catch(() => undefined);
    if (isRecord(result) && typeof result['ok'] === 'boolean') return result as unknown as ActionResult;
    return { ok: false, error: { code: 'SERVER', message: `The server answered ${response.status}.` } };
  } catch (error) {
    const isRefused = error instanceof SourceFailure && error.kind === 'refused';
    return { ok: false, error: { code: isRefused ? 'REFUSED' : 'UNREACHABLE', message: messageOf(error) } };
  }
}
