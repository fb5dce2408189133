// A channel beside a model of it: both are played the same steps, and what each request came to is compared.
import { Channel } from '../../../src/wire/channel/channel.js';
import {
  AbortError,
  ControlRequestError,
  ControlTimeoutError,
  SessionClosedError,
} from '../../../src/errors.js';
import { LEFT_OPEN, NOT_OURS } from '../../../src/wire/protocol/answer.js';

/** Something that happens to a channel; ids are of our requests, or of the CLI's. */
export type Play =
  | { do: 'request' | 'abort' | 'expire' | 'withdraw' | 'answer'; id: string }
  | { do: 'reply' | 'release'; id: string; ok: boolean }
  | { do: 'ask'; id: string; answerer: string }
  | { do: 'noise'; id: string; line: string };

interface Ours {
  controller: AbortController;
  token: number;
}

interface Theirs {
  token: number;
  state: 'working' | 'left';
  isWithdrawn: boolean;
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What came of each request, and what should have; ends with a close, at the step given or after the last. */
export async function playOnChannel(
  steps: readonly Play[],
  end: number | undefined,
): Promise<{ seen: Record<string, string[]>; expected: Record<string, string[]> }> {
  const seen: Record<string, string[]> = {};
  const expected: Record<string, string[]> = {};
  const note = (book: Record<string, string[]>, name: string, what: string): void => {
    (book[name] ??= []).push(what);
  };
  const ours = new Map<string, Ours>();
  const theirs = new Map<string, Theirs>();
  /** Answerers at work, the requests of some of which were settled without them. */
  const working = new Map<string, { token: number; settle: (ok: boolean) => void; leaves: boolean }[]>();
  let isClosed = false;
  let tokens = 0;
  let asked: { token: number; answerer: string } | undefined;

  const answer = (_request: unknown, { requestId }: { requestId: string }): unknown => {
    const { token, answerer } = asked as { token: number; answerer: string };
    if (answerer === 'now') return token;
    if (answerer === 'throws') throw new Error(String(token));
    if (answerer === 'leaves') return LEFT_OPEN;
    if (answerer === 'not-ours') return NOT_OURS;
    const leaves = answerer === 'later-leaves';
    return new Promise((resolve, reject) => {
      const settle = (ok: boolean): void =>
        leaves ? resolve(LEFT_OPEN) : ok ? resolve(token) : reject(new Error(String(token)));
      working.set(requestId, [...(working.get(requestId) ?? []), { token, settle, leaves }]);
    });
  };
  const channel = new Channel({
    write: (line) => {
      const { type, response } = JSON.parse(line) as { type: string; response?: Record<string, unknown> };
      if (type !== 'control_response' || !response) return;
      const value = response['subtype'] === 'success' ? response['response'] : response['error'];
      note(
        seen,
        `theirs ${String(response['request_id'])}`,
        `${String(response['subtype'])} ${String(value)}`,
      );
    },
    answerers: { go: answer },
    onMessage: () => {},
    onWarning: () => {},
  });

  const close = (): void => {
    isClosed = true;
    channel.close(new SessionClosedError());
    for (const { token } of ours.values()) note(expected, `ours ${token}`, 'SESSION_CLOSED');
    ours.clear();
    theirs.clear();
  };
  const settleOurs = (id: string, what: string): void => {
    const open = ours.get(id);
    ours.delete(id);
    if (open) note(expected, `ours ${open.token}`, what);
  };
  const settleTheirs = (id: string, what: string | undefined): void => {
    theirs.delete(id);
    if (what !== undefined) note(expected, `theirs ${id}`, what);
  };

  const play = (step: Play): void => {
    const { id } = step;
    tokens += 1;
    const token = tokens;
    switch (step.do) {
      case 'request': {
        const controller = new AbortController();
        channel.request({ subtype: 'x' }, { requestId: id, signal: controller.signal }).then(
          (value) => note(seen, `ours ${token}`, `success ${String(value)}`),
          (error: { code: string }) => note(seen, `ours ${token}`, error.code),
        );
        if (isClosed) note(expected, `ours ${token}`, 'SESSION_CLOSED');
        else if (ours.has(id)) note(expected, `ours ${token}`, 'CONTROL_REQUEST_FAILED');
        else ours.set(id, { controller, token });
        return;
      }
      case 'reply': {
        const response = step.ok
          ? { subtype: 'success', response: token }
          : { subtype: 'error', error: 'no' };
        channel.receiveLine(
          JSON.stringify({ type: 'control_response', response: { request_id: id, ...response } }),
        );
        settleOurs(id, step.ok ? `success ${token}` : new ControlRequestError('x', 'no').code);
        return;
      }
      case 'abort': {
        ours.get(id)?.controller.abort();
        settleOurs(id, new AbortError().code);
        return;
      }
      case 'expire':
        channel.expire(id, new ControlTimeoutError('x', 1));
        settleOurs(id, new ControlTimeoutError('x', 1).code);
        return;
      case 'ask': {
        asked = { token, answerer: step.answerer };
        const subtype = step.answerer === 'nobody' ? 'unheard_of' : 'go';
        channel.receiveLine(
          JSON.stringify({ type: 'control_request', request_id: id, request: { subtype } }),
        );
        if (isClosed || theirs.has(id)) return;
        if (step.answerer === 'now') settleTheirs(id, `success ${token}`);
        else if (step.answerer === 'throws') settleTheirs(id, `error ${token}`);
        else if (step.answerer === 'nobody')
          settleTheirs(id, 'error Unsupported control request subtype: unheard_of');
        else if (step.answerer !== 'not-ours') {
          const state = step.answerer === 'leaves' ? 'left' : 'working';
          theirs.set(id, { token, state, isWithdrawn: false });
        }
        return;
      }
      case 'release': {
        const done = working.get(id)?.shift();
        done?.settle(step.ok);
        const open = theirs.get(id);
        if (!done || open?.token !== done.token) return;
        if (!done.leaves) settleTheirs(id, `${step.ok ? 'success' : 'error'} ${done.token}`);
        else if (open.isWithdrawn) settleTheirs(id, undefined);
        else open.state = 'left';
        return;
      }
      case 'withdraw': {
        channel.receiveLine(JSON.stringify({ type: 'control_cancel_request', request_id: id }));
        const open = theirs.get(id);
        if (open?.state === 'left') settleTheirs(id, undefined);
        else if (open) open.isWithdrawn = true;
        return;
      }
      case 'answer': {
        const isTaken = channel.answer(id, token);
        note(seen, `answer ${token}`, String(isTaken));
        note(expected, `answer ${token}`, String(theirs.has(id)));
        if (theirs.has(id)) settleTheirs(id, `success ${token}`);
        return;
      }
      case 'noise':
        channel.receiveLine(step.line);
    }
  };

  for (const [index, step] of steps.entries()) {
    if (index === end) close();
    play(step);
    await tick();
    note(seen, 'open', String(channel.inFlight));
    note(expected, 'open', String(ours.size + theirs.size));
    const awaited = [...theirs.values()].filter(
      ({ state, isWithdrawn }) => state === 'working' && !isWithdrawn,
    );
    note(seen, 'awaited', String(channel.inboundAwaited));
    note(expected, 'awaited', String(awaited.length));
  }
  if (!isClosed) close();
  for (const left of working.values()) for (const { settle } of left) settle(true);
  await tick();
  return { seen, expected };
}
