// A chat whose server is gone, as the next server finds it: a transcript and call records, on disk or in a store. Reading them
// opens no session; only an answer to an open question does.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createApprovals,
  createCalls,
  InMemorySessionStore,
  openSession,
  type CallFact,
  type SessionStore,
} from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createMemoryApprovalStore } from '@inboard/core/answer/permissions/approvals/memory-approval-store.js';
import {
  ASKED,
  BEGUN,
  CALL,
  COVERED,
  createCutFiles,
  createCutStore,
  SESSION,
} from '../../core/test/flows/completed/cut-session.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { Page } from './chat-scene.js';
import { readEvents, typesOf } from './chunks.js';
import {
  ALLOWED,
  ANSWER,
  answer,
  ENDED,
  listApprovals,
  listMessages,
  openScene,
  serve,
} from './reload-scene.js';

/** A CLI is not started, but a machine may be busy. */
const PATIENT = { timeout: 15_000 };

describe('a page that is loaded again after its server was killed', () => {
  it('sees the open question, as often as it is loaded, and nothing is opened or written', async () => {
    const { page, opened, question, store, results } = await openScene();
    for (let times = 0; times < 3; times += 1) {
      const chunks = await page.resume();
      expect(page.messageId).toBe(ANSWER);
      expect(typesOf(chunks)).toEqual([
        'start',
        'start-step',
        'tool-input-available',
        'tool-approval-request',
        'finish',
      ]);
      expect(page.approvals).toEqual([question]);
      expect(await listApprovals(page)).toMatchObject([{ approvalId: question, toolCallId: CALL }]);
      expect((await listMessages(page)).map(({ role }) => role)).toEqual(['user']);
    }
    expect(await listMessages(page, '?whole=true')).toMatchObject([
      { role: 'user' },
      { id: ANSWER, parts: [{}, { state: 'approval-requested', approval: { id: question } }] },
    ]);
    expect(opened).toEqual([]);
    expect(await results()).toEqual([]);
    expect('calls' in store).toBe(true);
  });

  it('sees it on a disk as well, where reading leaves no file', async () => {
    const configDir = mkdtempSync(join(tmpdir(), 'inboard-reload-'));
    onTestFinished(() => rmSync(configDir, { recursive: true }));
    await createCutFiles(configDir, configDir);
    const list = (): unknown[] =>
      readdirSync(configDir, { recursive: true }).map((name) => {
        const { mtimeMs, size } = statSync(join(configDir, String(name)));
        return [name, mtimeMs, size];
      });
    const before = list();
    const env = { ...process.env, CLAUDE_CONFIG_DIR: configDir };
    const { page, opened, question } = await serve({ cwd: configDir, env }, {});
    await page.resume();
    expect(page.approvals).toEqual([question]);
    expect(await listApprovals(page)).toHaveLength(1);
    expect(await listMessages(page)).toHaveLength(1);
    expect([opened, list()]).toEqual([[], before]);
  });

  it('answers by the next post, with a changed input, and gets the rest of the message', async () => {
    const { page, opened, paid, question, results } = await openScene();
    await page.resume();
    const rest = await page.answer(true, { approvalInputs: { [question]: { order: '8' } } });
    expect(rest[0]).toEqual({ type: 'start', messageId: ANSWER });
    expect(rest).toContainEqual(
      expect.objectContaining({ type: 'tool-output-available', output: 'paid 8', toolCallId: CALL }),
    );
    expect(page.text).toBe('Paid.');
    expect([paid, opened.length, (await results()).length]).toEqual([['8'], 1, 1]);
    // The message has no part twice.
    expect(page.parts.filter(({ toolCallId }) => toolCallId === CALL)).toHaveLength(1);
  });

  it('is answered in a new session if another server went on since the one here was opened', async () => {
    const { store } = await createCutStore();
    let sessionStore: SessionStore = new InMemorySessionStore();
    const { chat, opened, paid } = await serve({}, { place: (sessionId) => ({ sessionId, sessionStore }) });
    await chat.open(SESSION);
    const page = new Page(chat, SESSION);
    expect(await listMessages(page)).toEqual([]);
    sessionStore = store;
    await page.resume();
    const [question = ''] = page.approvals;
    expect((await answer(page, question)).status).toBe(200);
    await vi.waitFor(() => expect(chat.state(SESSION)).toBe('idle'), PATIENT);
    expect([opened.length, paid]).toEqual([2, ['7']]);
  });

  it('sees a conversation whose last answer is whole, although a session of it is open', async () => {
    const sessionStore = new InMemorySessionStore();
    const said = {
      role: 'assistant',
      id: 'm',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hello.' }],
    };
    const { key } = await createCutStore();
    const asked = { role: 'user', content: 'Hi.' };
    await sessionStore.append(key, [
      { type: 'user', uuid: 'a', parentUuid: null, sessionId: SESSION, message: asked },
      { type: 'assistant', uuid: 'b', parentUuid: 'a', sessionId: SESSION, message: said },
    ]);
    const { chat, page } = await serve({ sessionStore }, {});
    await chat.open(SESSION);
    expect((await listMessages(page, '?whole=true')).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('is refused an input by the next post before anything is opened, and may answer again', async () => {
    const { page, opened, paid, question } = await openScene([COVERED, ASKED], {
      checkInput: ({ order }) => (order === '13' ? 'there is no order 13' : undefined),
    });
    await page.resume();
    const message = {
      id: page.messageId,
      role: 'assistant',
      parts: page.parts.map((part) => ({
        ...part,
        state: 'approval-responded',
        approval: { id: question, approved: true },
      })),
    };
    const refused = await page.fetch('', {
      id: page.id,
      messageId: page.messageId,
      messages: [message],
      approvalInputs: { [question]: { order: '13' } },
    });
    expect([refused.status, opened]).toEqual([400, []]);
    await page.answer(true, { approvalInputs: { [question]: { order: '8' } } });
    expect([paid, opened.length]).toEqual([['8'], 1]);
  });

  it('answers through the approvals route, and a reader that followed since the reload gets the rest', async () => {
    const { page, paid, question } = await openScene();
    const followed = readEvents(await page.fetch(`/${page.id}/stream?follow=true`));
    const given = await answer(page, question);
    expect([given.status, await given.json()]).toEqual([200, { answered: true }]);
    const chunks = page.take(await followed, true);
    expect(typesOf(chunks).filter((type) => type === 'tool-approval-request')).toHaveLength(1);
    expect(page.text).toBe('Paid.');
    expect(paid).toEqual(['7']);
  });

  it('denies', async () => {
    const { page, paid, question } = await openScene();
    await page.resume();
    const rest = await page.answer(false, { reason: 'Not this one.' });
    expect(typesOf(rest)).toContain('tool-output-denied');
    expect(paid).toEqual([]);
    expect((await answer(page, question)).status).toBe(409);
  });

  it('is told what is wrong with a changed input, and the question stays open', async () => {
    const { page, paid, question } = await openScene();
    await page.resume();
    const refused = await answer(page, question, { input: { order: 8 } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('order'),
    });
    expect(await listApprovals(page)).toHaveLength(1);
    expect((await answer(page, question, { input: { order: '9' } })).status).toBe(200);
    await readEvents(await page.fetch(`/${page.id}/stream?follow=true`));
    expect(paid).toEqual(['9']);
  });

  it('opens nothing for an input that the program refuses, or for a question that there is not', async () => {
    const { page, opened, question } = await openScene(undefined, { checkInput: () => 'Too much.' });
    const refused = await answer(page, question, { input: { order: '8' } });
    expect([refused.status, await refused.json()]).toMatchObject([400, { message: /Too much/ }]);
    const unknown = await answer(page, 'call_unknown_1');
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'NO_SUCH_APPROVAL' }]);
    const other = await page.fetch('', {
      id: page.id,
      messages: [{ id: 'answer-other', role: 'assistant', parts: [] }],
    });
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'NOTHING_TO_CONTINUE' }]);
    expect(opened).toEqual([]);
  });

  it('answers once, however many pages do', async () => {
    const { page, paid, opened, question } = await openScene();
    const given = await Promise.all(Array.from({ length: 10 }, () => answer(page, question)));
    expect(given.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(409),
    ]);
    await (await page.fetch(`/${page.id}/stream?follow=true`)).text();
    expect([paid, opened.length]).toEqual([['7'], 1]);
  });

  it('is told who answered before, and when', async () => {
    const { page, opened, question } = await openScene([COVERED, ASKED, ALLOWED]);
    const late = await answer(page, question);
    expect([late.status, await late.json()]).toEqual([
      409,
      { code: 'ALREADY_ANSWERED', message: 'Ines answered this question already.', by: 'Ines', at: 5 },
    ]);
    expect(opened).toEqual([]);
    expect(await listApprovals(page)).toEqual([]);
    // Nothing is waited for any more, so the turn goes on once the page is loaded.
    expect(await page.resume()).toContainEqual(expect.objectContaining({ output: 'paid 7' }));
    expect(opened).toHaveLength(1);
  });

  it('shows the answer of somebody else where it may not go on by itself, and goes on with its next post', async () => {
    const { store } = await openScene([COVERED, ASKED, ALLOWED]);
    const { page, question } = await serve(
      { sessionStore: store },
      { authorize: (request, { action }) => (request.method === 'GET' ? action !== 'send' : true) },
    );
    const chunks = await page.resume();
    expect(chunks).toContainEqual({ type: 'tool-approval-response', approvalId: question, approved: true });
    expect(await page.continue()).toContainEqual(expect.objectContaining({ output: 'paid 7' }));
  });

  it.each([
    ['a result that is recorded', [COVERED, ASKED, ALLOWED, BEGUN, ENDED], 'approval-responded'],
    ['a call that was running', [COVERED, ASKED, ALLOWED, BEGUN], 'input-available'],
    ['a call that no record knows', [], 'input-available'],
  ] as [string, CallFact[], string][])('never shows %s as failed', async (_, facts, state) => {
    const { page, opened } = await openScene(facts);
    const whole = await listMessages(page, '?whole=true');
    expect(whole.at(-1)?.parts.at(-1)).toMatchObject({ type: 'dynamic-tool', state });
    expect(opened).toEqual([]);
  });

  it('may not send another message before it has answered or stopped, and stopping tells the model', async () => {
    const { page, opened, paid, results } = await openScene();
    const refused = await page.post('Something else.');
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'APPROVAL_WAITS' }]);
    expect(opened).toEqual([]);
    expect(await (await page.fetch(`/${page.id}/stop`, {})).json()).toEqual({ stopped: true });
    expect(await listApprovals(page)).toEqual([]);
    expect([paid, (await results()).length]).toEqual([[], 1]);
  });

  it('is told that its question is gone if somebody stops the answer at that moment', async () => {
    const { page, question, paid } = await openScene();
    const stopping = page.fetch(`/${page.id}/stop`, {});
    const refused = await answer(page, question);
    expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'NO_SUCH_APPROVAL' }]);
    expect(await (await stopping).json()).toEqual({ stopped: true });
    expect(paid).toEqual([]);
  });

  it('may answer while the turn is already being continued, and is told of a wrong input then as well', async () => {
    const { page, chat, paid, question } = await openScene();
    const opening = chat.open(SESSION);
    const refused = await answer(page, question, { input: { order: 8 } });
    await opening;
    expect(refused.status).toBe(400);
    expect((await answer(page, question)).status).toBe(200);
    await (await page.fetch(`/${page.id}/stream?follow=true`)).text();
    expect(paid).toEqual(['7']);
  });

  it('gets the whole message from a server that already goes on with it', async () => {
    const { page, chat, question } = await openScene();
    await chat.open(SESSION);
    const chunks = await page.resume();
    expect(page.messageId).toBe(ANSWER);
    expect(typesOf(chunks).slice(0, 3)).toEqual(['start', 'start-step', 'tool-input-available']);
    expect(page.approvals).toEqual([question]);
    expect((await listMessages(page)).map(({ role }) => role)).toEqual(['user']);
  });

  it('finds its question again after a server that was closed, and after one that lost its session', async () => {
    const { page, chat, store, question } = await openScene();
    await chat.open(SESSION);
    await page.resume();
    await chat.close();
    const next = await serve({ sessionStore: store }, {});
    await next.page.resume();
    expect(next.page.approvals).toEqual([question]);
    expect(await next.page.answer(true)).toContainEqual(expect.objectContaining({ output: 'paid 7' }));
  });

  it('finds its question again after a server that was closed right after it had asked', async () => {
    const { page, chat, store, question, results } = await openScene(undefined, { settleMs: 60_000 });
    await chat.open(SESSION);
    await vi.waitFor(async () => expect(await listApprovals(page)).toHaveLength(1));
    expect(chat.state(SESSION)).toBe('running');
    await chat.close();
    expect(await results()).toEqual([]);
    const next = await serve({ sessionStore: store }, {});
    expect((await answer(next.page, question)).status).toBe(200);
    await vi.waitFor(() => expect(next.paid).toEqual(['7']));
  });

  it('finds its question again after a server that was closed while an answer opened the session', async () => {
    const opening = createDeferred<void>();
    const { page, chat, store, question, results } = await openScene(undefined, {
      session: ({ open }) => {
        opening.resolve();
        return open({ options: { transport: createFakeCli([], { allowEarlyEnd: true }).transport } });
      },
    });
    const answering = answer(page, question);
    await opening.promise;
    await chat.close();
    const refused = await answering;
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'CLOSED' }]);
    expect(await results()).toEqual([]);
    const next = await serve({ sessionStore: store }, {});
    expect((await answer(next.page, question)).status).toBe(200);
    await vi.waitFor(() => expect(next.paid).toEqual(['7']));
  });

  it('finds a call that another program completes, after a server that was closed meanwhile', async () => {
    const pending: CallFact = { type: 'pending', callKey: `key ${CALL}`, at: 4 };
    const { chat, store, results } = await openScene([COVERED, ASKED, ALLOWED, BEGUN, pending]);
    await chat.open(SESSION);
    await chat.close();
    expect(await results()).toEqual([]);
    await createCalls({ sessionStore: store }).complete(`key ${CALL}`, 'paid by the bank');
    const next = await serve({ sessionStore: store }, {});
    await next.chat.open(SESSION);
    await vi.waitFor(
      async () => expect(JSON.stringify(await listMessages(next.page))).toContain('paid by the bank'),
      PATIENT,
    );
  });

  it('is refused by a server whose sessions do not go on, and may send another message then', async () => {
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const fake = createFakeCli([say('Something else.')], { allowEarlyEnd: true });
    const { page, question } = await openScene(undefined, {
      session: ({ canUseTool }) =>
        openSession({ options: { transport: fake.transport, canUseTool, closeGraceMs: 0 } }),
    });
    const refused = await answer(page, question);
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'NOTHING_TO_CONTINUE' }]);
    await page.send('Well.');
    expect(page.text).toBe('Something else.');
    await vi.waitFor(() => expect(warnings.join()).toContain("interrupted: 'continue'"));
    await fake.close({ verify: false });
  });

  it('sees a question of a handler, if the queue has kept it', async () => {
    const store = createMemoryApprovalStore();
    const approvals = createApprovals({ store });
    const waiting: CallFact = { type: 'waiting', callKey: `key ${CALL}`, at: 4 };
    const facts = [COVERED, ASKED, ALLOWED, BEGUN, waiting];
    const { page, question, opened } = await openScene(facts, { approvals });
    await store.put({
      id: `${question}_ask_1`,
      kind: 'tool',
      attempt: 1,
      askedAt: 3,
      toolName: 'mcp__shop__pay',
      title: 'Really?',
      input: {},
      sessionId: SESSION,
    });
    expect(await listApprovals(page)).toMatchObject([
      { approvalId: `${question}_ask_1`, toolCallId: CALL, descriptor: { kind: 'held', title: 'Really?' } },
    ]);
    await page.resume();
    expect(page.approvals).toEqual([`${question}_ask_1`]);
    expect(opened).toEqual([]);
  });

  it('gets nothing of a chat without a conversation', async () => {
    const { page, chat, opened } = await openScene();
    const none = new Page(chat, '00000000-0000-4000-8000-0000000000ff');
    expect((await none.fetch(`/${none.id}/stream`)).status).toBe(204);
    expect([await listApprovals(none), await listMessages(none)]).toEqual([[], []]);
    expect((await answer(none, 'x')).status).toBe(404);
    expect([page.id, opened]).toEqual([SESSION, []]);
  });
});
