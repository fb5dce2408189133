// Sends one reply over HTTP. It waits and breaks off where the reply says so, and stops at any point when the client has
// gone.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { ScriptGate } from '../script/gate.js';
import { createContext } from './model-context.js';
import {
  encodeModelMessage,
  formatEvent,
  locatePoint,
  type MessageEvent,
  type MessageIdentity,
} from './message-events.js';
import {
  apiError,
  statusOfErrorType,
  type Cut,
  type Hold,
  type MessageReply,
  type RawReply,
  type Reply,
} from '../script/reply.js';
import type { ModelRequest } from './model-request.js';

/** A request to be answered. `gone` aborts when its connection is lost. */
export interface Exchange {
  readonly request: ModelRequest;
  readonly response: ServerResponse;
  readonly gone: AbortSignal;
  readonly identity: MessageIdentity;
}

/**
 * Sends a reply to its end or its cut. Rejects if the client goes before that, or if a promise that holds the reply
 * rejects.
 */
export async function sendReply(exchange: Exchange, reply: Reply): Promise<'answered' | 'cut'> {
  if (reply.delayMs !== undefined) await sleep(reply.delayMs, undefined, { signal: exchange.gone });
  if (reply.hold !== undefined && reply.hold.at === undefined) await waitAtHold(exchange, reply.hold);
  if ('status' in reply) await sendRaw(exchange, reply);
  else if (exchange.request.body.stream === true) await sendStream(exchange, reply);
  else await sendWhole(exchange, reply);
  return reply.cut === undefined ? 'answered' : 'cut';
}

/** Settles as the promise does, or rejects as soon as the signal aborts. */
export function waitUnlessGone<T>(promise: PromiseLike<T>, gone: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const release = onAbort(gone, () => reject(gone.reason as Error));
    promise.then(resolve, reject).then(release, release);
  });
}

async function waitAtHold({ request, gone }: Exchange, { until }: Hold): Promise<void> {
  await waitUnlessGone(
    until instanceof ScriptGate ? until.enter(createContext(request)) : (until as PromiseLike<unknown>),
    gone,
  );
}

async function sendWhole(exchange: Exchange, reply: MessageReply): Promise<void> {
  // The reply has no stream in which to wait, so it waits before its first byte.
  if (reply.hold?.at !== undefined) await waitAtHold(exchange, reply.hold);
  const { message } = encodeModelMessage(reply, exchange.identity);
  await sendRaw(exchange, { status: 200, headers: reply.headers, body: message, cut: reply.cut });
}

async function sendRaw(exchange: Exchange, reply: RawReply): Promise<void> {
  const { response } = exchange;
  const { how = 'drop' } = reply.cut ?? {};
  if (typeof how === 'object') {
    return sendRaw(exchange, apiError(statusOfErrorType(how.type), { ...how, headers: reply.headers }));
  }
  const isText = typeof reply.body === 'string';
  const body = Buffer.from(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  response.writeHead(reply.status, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    // If the cut drops the connection, the header announces the whole length. If the body just ends, there is no such header.
    ...(reply.cut !== undefined && how === 'end' ? {} : { 'content-length': String(body.length) }),
    ...reply.headers,
  });
  if (reply.cut === undefined) return endResponse(exchange, body);
  await write(exchange, body.subarray(0, Math.floor(body.length / 2)));
  return breakOff(exchange, how);
}

async function sendStream(exchange: Exchange, reply: MessageReply): Promise<void> {
  const { events } = encodeModelMessage(reply, exchange.identity);
  const { cut, hold } = reply;
  const cutAt = cut === undefined ? undefined : locatePoint(events, cut);
  const holdAt = hold?.at === undefined ? undefined : locatePoint(events, hold.at);
  exchange.response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...reply.headers,
  });
  exchange.response.flushHeaders();
  for (const [index, event] of events.entries()) {
    if (hold !== undefined && index === holdAt) await waitAtHold(exchange, hold);
    if (cut !== undefined && index === cutAt) return breakOff(exchange, cut.how ?? 'drop');
    if (index > 0 && reply.eventDelayMs !== undefined) {
      await sleep(reply.eventDelayMs, undefined, { signal: exchange.gone });
    }
    await write(exchange, formatEvent(event.name, event.data) + formatPings(event, reply.pings));
  }
  await endResponse(exchange);
}

function formatPings(event: MessageEvent, pings = 1): string {
  return event.name === 'message_start' ? formatEvent('ping', { type: 'ping' }).repeat(pings) : '';
}

async function breakOff(exchange: Exchange, how: NonNullable<Cut['how']>): Promise<void> {
  if (how === 'drop') {
    exchange.response.destroy();
    return;
  }
  if (typeof how === 'object') {
    await write(
      exchange,
      formatEvent('error', { type: 'error', error: { type: how.type, message: how.message } }),
    );
  }
  await endResponse(exchange);
}

// Writes bytes and waits until they have left this process. So a cut never loses bytes that were sent before it, and a
// slow client does not get too many bytes at once.
function write({ response, gone }: Exchange, chunk: string | Buffer): Promise<void> {
  return waitUnlessGone(
    new Promise<void>((resolve) => {
      // A write fails only if the connection is lost, and then `gone` aborts.
      response.write(chunk, (error) => {
        if (!error) resolve();
      });
    }),
    gone,
  );
}

function endResponse({ response, gone }: Exchange, chunk?: Buffer): Promise<void> {
  return waitUnlessGone(new Promise<void>((resolve) => response.end(chunk, resolve)), gone);
}
