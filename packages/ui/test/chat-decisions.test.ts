// Who decided, what they changed and why they said no: told to the program that checks it, and kept for pages that come later.
import { describe, expect, it } from 'vitest';
import {
  createApprovals,
  createSdkMcpServer,
  InMemorySessionStore,
  tool,
  type CallFact,
  type SessionStore,
} from '@inboard/inboard/index.js';
import { text, toolUse } from '@inboard/inboard/testing.js';
import type { UiChatOptions, UiInputChange } from '@inboard/inboard/ui.js';
import { findProjectKey } from '@inboard/core/record/history/store/stored-entries.js';
import {
  ASKED,
  BEGUN,
  CALL,
  COVERED,
  createEntries,
  SESSION,
} from '../../core/test/flows/completed/cut-session.js';
import { createScene } from './chat-scene.js';
import { readEvents, typesOf } from './chunks.js';
import { answer, ENDED, listMessages, openScene, serve } from './reload-scene.js';

const KEY = { sessionId: SESSION };
const EDITED: CallFact = {
  type: 'answered',
  callKey: `key ${CALL}`,
  answer: { behavior: 'allow', updatedInput: { order: '8' } },
  by: 'Ines',
  at: 5,
};
const DENIED: CallFact = {
  type: 'answered',
  callKey: `key ${CALL}`,
  answer: { behavior: 'deny', message: 'Not this one.' },
  by: 'Ines',
  at: 5,
};
/** The login of the page. */
const user: UiChatOptions['user'] = (request) => request.headers.get('x-user') ?? undefined;

const factsIn = async (store: SessionStore): Promise<CallFact[]> =>
  await (store.calls?.({ ...KEY, projectKey: await findProjectKey(process.cwd()) })?.load() ?? []);

/** Ends the turn in the transcript, with the result of its call. */
async function finish(store: SessionStore, content: string, isError: boolean): Promise<void> {
  const [first, second] = createEntries(process.cwd());
  const result = { type: 'tool_result', tool_use_id: CALL, content, ...(isError && { is_error: true }) };
  const body = second?.['message'] as object;
  const said = [{ type: 'text', text: 'That is it.' }];
  const entries = [
    { ...first, uuid: 'r1', parentUuid: second?.['uuid'], message: { role: 'user', content: [result] } },
    {
      ...second,
      uuid: 'a2',
      parentUuid: 'r1',
      message: { ...body, id: 'msg_2', content: said, stop_reason: 'end_turn' },
    },
  ];
  await store.append({ ...KEY, projectKey: await findProjectKey(process.cwd()) }, entries as never);
}

describe('a changed input', () => {
  it.each([true, false])(
    'is checked against what was asked, by chat and request (session open: %s)',
    async (isOpen) => {
      const seen: [object, string, UiInputChange][] = [];
      const { page, chat, question } = await openScene([COVERED, ASKED], {
        user,
        checkInput: (...given) => {
          seen.push(given);
          return 'only the reason may be changed';
        },
      });
      if (isOpen) await chat.open(SESSION);
      const headers = { 'x-user': 'Bo' };
      const decision = { approvalId: question, approved: true, input: { order: '8' } };
      const refused = await page.fetch(`/${page.id}/approvals`, decision, headers);
      expect([refused.status, await refused.json()]).toMatchObject([400, { message: /only the reason/ }]);
      const [input, toolName, change] = seen[0] ?? [];
      const { original, chatId, request, by } = change ?? {};
      expect([input, toolName, original, chatId, by]).toEqual([
        { order: '8' },
        'mcp__shop__pay',
        { order: '7' },
        SESSION,
        'Bo',
      ]);
      expect(request?.headers.get('x-user')).toBe('Bo');
    },
  );

  it('is shown as edited at once, by whom, and so after a reload', async () => {
    const { page, question, store } = await openScene([COVERED, ASKED], { user });
    const decision = { approvalId: question, approved: true, input: { order: '8' } };
    const given = await page.fetch(`/${page.id}/approvals`, decision, { 'x-user': 'Bo' });
    expect(given.status).toBe(200);
    await readEvents(await page.fetch(`/${page.id}/stream?follow=true`));
    expect(await factsIn(store)).toContainEqual(expect.objectContaining({ type: 'answered', by: 'Bo' }));
    await finish(store, 'paid 8', false);
    const next = await serve({ sessionStore: store }, {});
    expect((await listMessages(next.page)).at(-1)?.parts).toContainEqual(
      expect.objectContaining({
        toolCallId: CALL,
        state: 'output-available',
        input: { order: '8' },
        output: 'paid 8',
        callProviderMetadata: { inboard: { answered: { by: 'Bo', isEdited: true } } },
      }),
    );
  });

  it('is shown on a page that is loaded before the turn goes on', async () => {
    const { page, opened } = await openScene([COVERED, ASKED, EDITED], {
      authorize: (_request, { action }) => action !== 'send',
    });
    expect(await page.resume()).toContainEqual(
      expect.objectContaining({
        type: 'tool-input-available',
        input: { order: '8' },
        providerMetadata: { inboard: { answered: { by: 'Ines', isEdited: true } } },
      }),
    );
    expect(opened).toEqual([]);
  });

  it('that says the same as before is none', async () => {
    const same: CallFact = {
      ...EDITED,
      answer: { behavior: 'allow', updatedInput: { order: '7' } },
    };
    const { page, store } = await openScene([COVERED, ASKED, same, BEGUN, ENDED]);
    await finish(store, 'paid 7', false);
    expect((await listMessages(page)).at(-1)?.parts).toContainEqual(
      expect.objectContaining({
        input: { order: '7' },
        callProviderMetadata: { inboard: { answered: { by: 'Ines' } } },
      }),
    );
  });
});

describe('a denial', () => {
  it('has its reason after a restart', async () => {
    const { page, store } = await openScene([COVERED, ASKED, DENIED]);
    await finish(store, 'Not this one.', true);
    expect((await listMessages(page)).at(-1)?.parts).toContainEqual({
      type: 'dynamic-tool',
      toolCallId: CALL,
      toolName: 'mcp__shop__pay',
      input: { order: '7' },
      callProviderMetadata: { inboard: { answered: { by: 'Ines' } } },
      state: 'output-denied',
      approval: { id: `key ${CALL}`, approved: false, reason: 'Not this one.' },
    });
  });

  it('has it on a page that is loaded while the turn goes on', async () => {
    const { page } = await openScene([COVERED, ASKED, DENIED]);
    const chunks = await page.resume();
    expect(chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-approval-response', approved: false, reason: 'Not this one.' }),
    );
    expect(typesOf(chunks)).toContain('tool-output-denied');
  });
});

describe('who answered', () => {
  it('stands in the queue, and in the refusal of a second answer', async () => {
    const approvals = createApprovals();
    const { page, question } = await openScene([COVERED, ASKED], { approvals, user });
    const headers = { 'x-user': 'Bo' };
    const decision = { approvalId: question, approved: true };
    expect((await page.fetch(`/${page.id}/approvals`, decision, headers)).status).toBe(200);
    expect(await approvals.list({ answered: true })).toMatchObject([{ id: question, answer: { by: 'Bo' } }]);
    const late = await answer(page, question);
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'ALREADY_ANSWERED', by: 'Bo' }]);
    approvals.close();
  });

  it.each([true, false])('stands in the records if the CLI still runs (approved: %s)', async (approved) => {
    const sessionStore = new InMemorySessionStore();
    const run = (): string => 'paid';
    const pay = tool({ name: 'pay', description: 'Pays', inputSchema: { order: 'string' }, run });
    const { page } = createScene([toolUse('mcp__shop__pay', { order: '7' }), text('That is it.')], {
      options: {
        sessionId: SESSION,
        sessionStore,
        mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
      },
      chat: { user },
    });
    await page.send('Pay order 7.');
    const decision = { approvalId: page.approvals[0], approved };
    const given = await page.fetch(`/${page.id}/approvals`, decision, { 'x-user': 'Bo' });
    expect(given.status).toBe(200);
    await readEvents(await page.fetch(`/${page.id}/stream?follow=true`));
    expect(await factsIn(sessionStore)).toContainEqual(
      expect.objectContaining({ type: 'answered', by: 'Bo' }),
    );
  });

  it('is asked about answers only, after the visitor was let in', async () => {
    const asked: string[] = [];
    const { page, question } = await openScene([COVERED, ASKED], {
      authorize: (request) => request.headers.get('x-user') === 'Bo',
      user: (_request, { action }) => {
        asked.push(action);
        throw new Response('Log in again', { status: 401 });
      },
    });
    const decision = { approvalId: question, approved: true };
    expect((await page.fetch(`/${page.id}/approvals`, decision)).status).toBe(403);
    await page.fetch(`/${page.id}/stream`, undefined, { 'x-user': 'Bo' });
    expect(asked).toEqual([]);
    expect((await page.fetch(`/${page.id}/approvals`, decision, { 'x-user': 'Bo' })).status).toBe(401);
    expect(asked).toEqual(['answer']);
  });
});
