// An answer that was cut off while no person was asked: its page is loaded again, and it goes on. Nothing goes on that another
// process may have, or that the visitor could not have asked for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallFact } from '@inboard/inboard/index.js';
import { readProcessStart } from '@inboard/core/wire/process/owned-folder.js';
import { nameThisProcess } from '@inboard/core/wire/process/process-name.js';
import { ASKED, BEGUN, CALL, COVERED, createCutFiles } from '../../core/test/flows/completed/cut-session.js';
import { Page } from './chat-scene.js';
import { readEvents, typesOf } from './chunks.js';
import { ALLOWED, ANSWER, ENDED, listMessages, openScene, serve } from './reload-scene.js';

/** The handler of the open call was running when its server was killed. */
const RUNNING = [COVERED, ASKED, ALLOWED, BEGUN];
const self = JSON.parse(nameThisProcess()) as { pid: number };
/** Another server that lives: the process that started this one. */
const ALIVE = JSON.stringify({ ...self, pid: process.ppid, start: readProcessStart(process.ppid) });
/** A server of another container. Whether it lives cannot be looked up. */
const ELSEWHERE = JSON.stringify({ ...self, pidSpace: 'pid:[1]', host: 'elsewhere' });
const GONE = (COVERED as { owner?: string }).owner;

const coveredBy = (owner: string | undefined, cli?: string): CallFact =>
  ({ ...COVERED, owner, ...(cli !== undefined && { cli }) }) as CallFact;

describe('a page that is loaded again after its server was killed while a tool ran', () => {
  it('gets the rest of the answer, and the page does not show its first part twice', async () => {
    const { page, opened, paid, results } = await openScene(RUNNING);
    expect((await listMessages(page)).map(({ role }) => role)).toEqual(['user']);
    expect(opened).toEqual([]);
    const chunks = await page.resume();
    expect(page.messageId).toBe(ANSWER);
    expect(page.text).toBe('Paid.');
    expect(typesOf(chunks).at(-1)).toBe('finish');
    // Whether the handler had paid is not known, so it does not pay again.
    expect([paid, opened.length, (await results()).length]).toEqual([[], 1, 1]);
    expect((await page.fetch(`/${page.id}/stream`)).status).toBe(204);
    expect(opened).toHaveLength(1);
  });

  it('gets the result that was recorded', async () => {
    const { page, paid } = await openScene([...RUNNING, ENDED]);
    expect(await page.resume()).toContainEqual(
      expect.objectContaining({ type: 'tool-output-available', toolCallId: CALL, output: 'paid 7' }),
    );
    expect(paid).toEqual([]);
  });

  it('gets it on a disk as well, and in a second tab', async () => {
    const configDir = mkdtempSync(join(tmpdir(), 'inboard-going-on-'));
    onTestFinished(() => rmSync(configDir, { recursive: true, maxRetries: 5 }));
    await createCutFiles(configDir, configDir, [...RUNNING, ENDED]);
    const env = { ...process.env, CLAUDE_CONFIG_DIR: configDir };
    const { chat, page, opened } = await serve({ cwd: configDir, env }, {});
    const other = new Page(chat, page.id);
    const followed = page.fetch(`/${page.id}/stream?follow=true`).then(readEvents);
    await other.resume();
    page.take(await followed, true);
    expect([page.text, other.text, opened.length]).toEqual(['Paid.', 'Paid.', 1]);
  });

  it('is told what to do about a message that it sends before that', async () => {
    const { page } = await openScene(RUNNING);
    const refused = await page.post('And order 8.');
    expect(refused.status).toBe(409);
    expect(await refused.json()).toEqual({
      code: 'TURN_RUNNING',
      message: expect.stringMatching(/not sent\. Load the page again .*\. Send the message again when/),
    });
    await page.resume();
    expect(page.text).toBe('Paid.');
  });
});

describe('an answer that was cut off', () => {
  it.each([
    ['a server that lives', ALIVE, undefined],
    ['a server of another container', ELSEWHERE, undefined],
    ['a server and a CLI of another container', ELSEWHERE, ELSEWHERE],
    ['a server that is not named', undefined, undefined],
  ])('is left to %s', async (_, owner, cli) => {
    const { page, opened } = await openScene([coveredBy(owner, cli), ...RUNNING.slice(1)]);
    expect((await page.fetch(`/${page.id}/stream`)).status).toBe(204);
    expect((await listMessages(page)).at(-1)).toMatchObject({
      id: ANSWER,
      parts: [{}, { toolCallId: CALL, state: 'input-available' }],
    });
    expect(opened).toEqual([]);
  });

  it('goes on if its CLI is gone, although its server lives', async () => {
    const { page } = await openScene([coveredBy(ALIVE, GONE), ...RUNNING.slice(1)]);
    await page.resume();
    expect(page.text).toBe('Paid.');
  });

  it('is left alone where only other servers could tell: in a store without records of its calls', async () => {
    const { page, opened } = await openScene([]);
    expect((await page.fetch(`/${page.id}/stream`)).status).toBe(204);
    expect(opened).toEqual([]);
  });

  it('does not go on for a visitor who may only read', async () => {
    const asked: string[] = [];
    const { page, opened } = await openScene(RUNNING, {
      authorize: (_request, { action }) => {
        asked.push(action);
        return action === 'read' || action === 'history';
      },
    });
    expect((await page.fetch(`/${page.id}/stream`)).status).toBe(204);
    expect((await listMessages(page)).map(({ id }) => id)).toContain(ANSWER);
    expect([asked, opened]).toEqual([['read', 'send', 'history', 'send'], []]);
  });

  it.each([
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['origin', 'https://evil.example'],
  ])('does not go on for a page of another site (%s: %s)', async (name, value) => {
    const { page, opened } = await openScene(RUNNING);
    expect((await page.fetch(`/${page.id}/stream`, undefined, { [name]: value })).status).toBe(204);
    expect(opened).toEqual([]);
  });

  it('is stopped, and the model is told, without going on first', async () => {
    const { page, results } = await openScene(RUNNING);
    expect(await (await page.fetch(`/${page.id}/stop`, {})).json()).toEqual({ stopped: true });
    expect(await results()).toHaveLength(1);
    expect((await page.fetch(`/${page.id}/stream`)).status).toBe(204);
  });

  it('goes on for a page of another site that is allowed', async () => {
    const { page, opened } = await openScene(RUNNING, { allowedOrigins: ['https://app.example'] });
    const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    await readEvents(await page.fetch(`/${page.id}/stream`, undefined, headers));
    expect(opened).toHaveLength(1);
  });
});
