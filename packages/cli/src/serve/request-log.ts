// Writes a line for each request of a client: what was asked, how it ended, and how long it took.
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { countOf, messageOf } from '@inboard/core/util/message-of.js';
import { excerpt } from '../terminal/short-texts.js';
import { describeContent } from '../terminal/tool-content.js';
import type { McpContext, McpRequest } from './mcp-library.js';

type Handler = (request: McpRequest, context: McpContext) => Promise<Record<string, unknown>>;

const LONGEST = 200;

/** Wraps a handler so that it reports each request once it is answered. */
export function logRequests(handler: Handler, onRequest: (line: string) => void): Handler {
  return async (request, context) => {
    const started = performance.now();
    const report = (how: string): void => {
      const took = Math.round(performance.now() - started);
      onRequest(`${describeRequest(request)} -> ${how} in ${took} ms`);
    };
    try {
      const result = await handler(request, context);
      report(describeResult(result));
      return result;
    } catch (error) {
      const { code } = error as { code?: unknown };
      const number = typeof code === 'number' ? ` ${code}` : '';
      report(
        context.mcpReq.signal.aborted
          ? 'cancelled'
          : `refused${number}: ${excerpt(messageOf(error), LONGEST)}`,
      );
      throw error;
    }
  };
}

/** Reports a request over HTTP that was answered with an error, such as one without the token. */
export function logRefusal(
  { method = '', url = '', socket }: IncomingMessage,
  outgoing: ServerResponse,
  onRefused: (line: string) => void,
): void {
  const from = socket.remoteAddress ?? 'somebody';
  outgoing.once('finish', () => {
    const { statusCode } = outgoing;
    if (statusCode < 400) return;
    const why = STATUS_CODES[statusCode] ?? '';
    onRefused(`${method} ${excerpt(url, LONGEST)} from ${from} -> refused ${statusCode} ${why}`.trimEnd());
  });
}

function describeRequest({ method, params = {} }: McpRequest): string {
  const { name, uri, arguments: args } = params;
  const words = [name, uri].filter((word) => typeof word === 'string');
  if (args !== undefined) words.push(excerpt(JSON.stringify(args), LONGEST));
  return [method, ...words].join(' ');
}

function describeResult(result: Record<string, unknown>): string {
  if ('content' in result) {
    const answer = excerpt(describeContent(result['content']).join('\n'), LONGEST);
    return `${result['isError'] === true ? 'error' : 'ok'}${answer === '' ? '' : ` (${answer})`}`;
  }
  const [list] = Object.values(result).filter((value) => Array.isArray(value));
  return list ? `ok (${countOf((list as unknown[]).length, 'item')})` : 'ok';
}
