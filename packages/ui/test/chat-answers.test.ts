// An answer to a question comes with the page's next message or through the approvals route. Every case here is played through both
// entries, and what becomes of the answer must be the same.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createApprovals,
  deny,
  openSession,
  type Approvals,
  type CanUseTool,
  type PermissionResult,
  type Session,
} from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createUiChat, type UiChat, type UiChatOptions } from '@inboard/inboard/ui.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { Page } from './chat-scene.js';

/** What a person decides; wrong values are part of the test. */
interface Decision {
  approvalId?: unknown;
  approved?: unknown;
  reason?: unknown;
  input?: unknown;
}

/** How a page brings a decision to its chat. */
type Entry = (page: Page, decision: Decision) => Promise<Response>;
const ENTRIES: Record<string, Entry> = {
  'the chat request': (page, { approvalId, approved, reason, input }) =>
    page.fetch('', {
      id: page.id,
      messages: [
        {
          id: page.messageId,
          role: 'assistant',
          parts: [
            {
              type: 'dynamic-tool',
              toolCallId: 'call',
              state: 'approval-responded',
              approval: { id: approvalId, approved, reason },
            },
          ],
        },
      ],
      ...(input !== undefined && { approvalInputs: { [String(approvalId)]: input } }),
    }),
  'the approvals route': (page, decision) => page.fetch(`/${page.id}/approvals`, decision),
};
const entries = Object.keys(ENTRIES);

const ID = 'question';
const INPUT = { order: '8' };
const DECISION: Decision = { approvalId: ID, approved: true, input: INPUT };

interface Asked {
  answer: ReturnType<CanUseTool>;
  /** Takes the question back as the end of its CLI does. */
  withdraw: () => void;
}

/** A chat server whose agent works until it is told to stop; tests ask in its name. */
class Scene {
  readonly approvals: Approvals = createApprovals();
  readonly chat: UiChat;
  readonly page: Page;
  readonly sessions: Session[] = [];
  readonly #canUseTool = new Map<string, CanUseTool>();
  readonly #done = createDeferred<void>();

  constructor({ isContinued = false, ...options }: Partial<UiChatOptions> & { isContinued?: boolean } = {}) {
    const fake = createFakeCli(() => [() => this.#done.promise, say('Done.')], { allowEarlyEnd: true });
    this.chat = createUiChat({
      approvals: this.approvals,
      session: ({ id, canUseTool }) => {
        this.#canUseTool.set(id, canUseTool);
        const session = openSession({ options: { transport: fake.transport, closeGraceMs: 0 } });
        this.sessions.push(session);
        return isContinued ? continueTurn(session) : session;
      },
      settleMs: 1,
      ...options,
    });
    this.page = new Page(this.chat);
    onTestFinished(async () => {
      this.#done.resolve();
      await this.chat.close();
      this.approvals.close();
      await fake.close({ verify: false });
    });
  }

  /** A chat with an answer under way, as a page knows it. */
  async begin(page: Page): Promise<void> {
    await this.chat.open(page.id);
    if (this.chat.state(page.id) === 'idle') await (await page.post('Go.')).body?.cancel();
    const reader = ((await page.fetch(`/${page.id}/stream`)).body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    page.messageId = /"messageId":"([^"]+)"/.exec(new TextDecoder().decode(value))?.[1] ?? '';
  }

  /** Asks as the CLI of a chat does, and waits until the question is open. */
  async ask(page: Page, callKey = ID): Promise<Asked> {
    const stopped = new AbortController();
    const canUseTool = this.#canUseTool.get(page.id) as CanUseTool;
    const answer = canUseTool(
      'ship',
      { order: '7' },
      {
        callKey,
        requestId: 'r',
        toolUseID: 'call',
        signal: stopped.signal,
      },
    );
    await vi.waitFor(async () => expect(await listIds(this.approvals)).toContain(callKey));
    return { answer, withdraw: () => stopped.abort(new Error('The CLI has ended')) };
  }

  /** Lets the answer come to its end. */
  async finish(page: Page): Promise<void> {
    const followed = page.fetch(`/${page.id}/stream?follow=true`);
    this.#done.resolve();
    await (await followed).text();
    expect(this.chat.state(page.id)).toBe('idle');
  }
}

/** A session that goes on with a turn, as one does that is opened after a restart of the host. */
function continueTurn(session: Session): Session {
  const continued = Promise.resolve(session.send('Go on.'));
  return new Proxy(session, {
    get: (target, name) => {
      if (name === 'continued') return continued;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const listIds = async (approvals: Approvals): Promise<string[]> =>
  (await approvals.list({ answered: true })).map(({ id }) => id);

/** Brings the answer and tells everything that may have changed by it. */
async function bring(
  scene: Scene,
  entry: string,
  { page, waiting }: { page: Page; waiting?: Asked | undefined },
): Promise<{ status: number; code: unknown; effect: unknown }> {
  const response = await (ENTRIES[entry] as Entry)(page, DECISION);
  const code = await codeOf(response);
  const result = await settleByProbe(scene, waiting ?? page);
  return { status: response.status, code, effect: { result, sessions: scene.sessions.length } };
}

/** The code of a refusal, or what the response says instead; a stream is left. */
async function codeOf(response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    await response.body?.cancel();
    return 'stream';
  }
  const { code, ...said } = (await response.json()) as { code?: string };
  return code ?? said;
}

const PROBE = 'no answer came';

/** The answer to a question that waits, or that a page is asked again; where none comes, the one of the test. */
async function settleByProbe(scene: Scene, asked: Asked | Page): Promise<PermissionResult | undefined> {
  // An answer that was kept for its question is given by a timer.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { answer } = asked instanceof Page ? await scene.ask(asked) : asked;
    await vi.advanceTimersByTimeAsync(1000);
    await scene.approvals.answer(ID, deny(PROBE));
    return (await answer) ?? undefined;
  } finally {
    vi.useRealTimers();
  }
}

const allowed = { behavior: 'allow', updatedInput: INPUT };
const nothing = { behavior: 'deny', message: PROBE };
const first = { behavior: 'deny', message: 'first' };

interface Case {
  title: string;
  isContinued?: boolean;
  /** Brings the question about. */
  prepare: (scene: Scene) => Promise<Asked | void>;
  /** What the tool gets in the end. */
  result: object;
  sessions?: number;
  /** What the approvals route says. */
  aside: [status: number, code: unknown];
  /** What the chat request says, where it is not the rest of the answer. */
  post?: [status: number, code: unknown];
}

const answerFirst = async (scene: Scene): Promise<void> => {
  const { answer } = await scene.ask(scene.page);
  await scene.approvals.answer(ID, deny('first'));
  await answer;
};
const withdraw = async (scene: Scene): Promise<void> => {
  const { answer, withdraw: take } = await scene.ask(scene.page);
  take();
  await answer;
};
const askElsewhere = async (scene: Scene): Promise<Asked> => {
  const other = new Page(scene.chat, 'c2');
  await scene.begin(other);
  return await scene.ask(other);
};

const CASES: Case[] = [
  {
    title: 'a question that is open',
    prepare: (scene) => scene.ask(scene.page),
    result: allowed,
    aside: [200, { answered: true }],
  },
  {
    title: 'one that was answered',
    prepare: answerFirst,
    result: first,
    aside: [409, 'ALREADY_ANSWERED'],
  },
  {
    title: 'one that was answered after a restart',
    isContinued: true,
    prepare: answerFirst,
    result: first,
    aside: [409, 'ALREADY_ANSWERED'],
  },
  {
    title: 'one that was answered, of a message that is over',
    prepare: async (scene) => {
      await answerFirst(scene);
      await scene.finish(scene.page);
    },
    result: first,
    aside: [409, 'ALREADY_ANSWERED'],
  },
  {
    title: 'one that was answered, and that the queue forgot',
    prepare: async (scene) => {
      await answerFirst(scene);
      await scene.approvals.remove(ID);
    },
    result: nothing,
    aside: [409, 'ALREADY_ANSWERED'],
  },
  {
    title: 'one that was withdrawn and may come again',
    prepare: withdraw,
    result: allowed,
    aside: [202, { answered: false }],
  },
  {
    title: 'one that was withdrawn, of a message that is over',
    prepare: async (scene) => {
      await withdraw(scene);
      await scene.finish(scene.page);
    },
    result: nothing,
    aside: [404, 'NO_SUCH_APPROVAL'],
  },
  {
    title: 'one that was never asked',
    prepare: async () => {},
    result: nothing,
    aside: [404, 'NO_SUCH_APPROVAL'],
  },
  {
    title: 'one that was asked before a restart',
    isContinued: true,
    prepare: async () => {},
    result: allowed,
    aside: [202, { answered: false }],
  },
  {
    title: 'one of another chat',
    prepare: askElsewhere,
    result: nothing,
    sessions: 2,
    aside: [404, 'NO_SUCH_APPROVAL'],
  },
  {
    title: 'one of another chat, after a restart',
    isContinued: true,
    prepare: askElsewhere,
    result: nothing,
    sessions: 2,
    aside: [202, { answered: false }],
  },
  {
    title: 'one whose session has ended',
    prepare: async (scene) => {
      await withdraw(scene);
      await scene.sessions[0]?.close();
    },
    result: nothing,
    sessions: 2,
    aside: [404, 'NO_SUCH_APPROVAL'],
    post: [409, 'NOTHING_TO_CONTINUE'],
  },
];

describe('an answer', () => {
  it.each(CASES)('to $title ends the same way through every entry', async ({ prepare, ...expected }) => {
    const { isContinued, result, sessions = 1, aside, post = [200, 'stream'] } = expected;
    for (const entry of entries) {
      const scene = new Scene({ isContinued });
      const { page } = scene;
      await scene.begin(page);
      const waiting = (await prepare(scene)) ?? undefined;
      const { status, code, effect } = await bring(scene, entry, { page, waiting });
      expect([status, code], entry).toEqual(entry === 'the approvals route' ? aside : post);
      expect(effect, entry).toEqual({ result, sessions });
    }
  });

  const long = 'x'.repeat(10_001);
  it.each<[string, Decision]>([
    ['no id', { approvalId: undefined }],
    ['an empty id', { approvalId: '' }],
    ['an id that is too long', { approvalId: long }],
    ['an id that is no text', { approvalId: 7 }],
    ['no decision', { approved: undefined }],
    ['a decision that is none', { approved: 'yes' }],
    ['a reason that is no text', { reason: 7 }],
    ['a reason that is too long', { reason: long }],
    ['an input that is no object', { input: 'text' }],
    ['an input that is a list', { input: [] }],
    ['an input that the program refuses', { input: { order: '13' } }],
  ])(
    'with %s is refused with the same words by every entry, and the question stays open',
    async (_, wrong) => {
      const said: unknown[] = [];
      for (const entry of entries) {
        const scene = new Scene({
          checkInput: ({ order }) => (order === '13' ? 'there is no order 13' : undefined),
        });
        const { page } = scene;
        await scene.begin(page);
        const waiting = await scene.ask(page);
        const response = await (ENTRIES[entry] as Entry)(page, { ...DECISION, ...wrong });
        const { code, message } = (await response.json()) as { code: string; message: string };
        expect([response.status, code], entry).toEqual([400, 'BAD_REQUEST']);
        // The name of the field in front differs: it says where the request has it.
        said.push(message.slice(message.indexOf(': ')));
        expect(await settleByProbe(scene, waiting), entry).toEqual(nothing);
      }
      expect(said[1]).toBe(said[0]);
    },
  );

  it.each(entries.flatMap((one) => entries.map((other): [string, string] => [one, other])))(
    'through %s and another through %s at once: one is taken, and the approvals route says which',
    async (...pair) => {
      const scene = new Scene();
      const { page } = scene;
      await scene.begin(page);
      const { answer } = await scene.ask(page);
      const responses = await Promise.all(
        pair.map((entry, place) =>
          (ENTRIES[entry] as Entry)(page, { approvalId: ID, approved: false, reason: `${place}` }),
        ),
      );
      const taken = Number(((await answer) as { message: string }).message);
      for (const [place, response] of responses.entries()) {
        const code = await codeOf(response);
        if (pair[place] === 'the chat request') expect([response.status, code]).toEqual([200, 'stream']);
        else if (place === taken) expect([response.status, code]).toEqual([200, { answered: true }]);
        else expect([409, 404]).toContain(response.status);
      }
    },
  );
});
