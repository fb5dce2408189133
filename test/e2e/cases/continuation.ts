// Turns that a crash cut off and that go on: in a session that is opened again, and after a restart of the CLI. Keys of
// calls are the same on both sides of the cut.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { buildSource } from '../../support/build-source.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  allow,
  createSdkMcpServer,
  getTranscriptState,
  openSession,
  text,
  tool,
  toolUse,
  type CanUseTool,
  type Options,
  type Session,
} from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { written } from '../support/transcripts.js';

const PAY = toolUse('mcp__shop__pay', { order: 7 });
/** The call itself in a transcript, which also holds the list of tools. */
const CALLED = '"name":"mcp__shop__pay","input":';

/** A tool that does not answer the first time before it is cancelled or told to, and tells which call it is. */
function createShop() {
  const seen: { callKey: string; attempt: number }[] = [];
  let finish = (): void => {};
  let isAborted = false;
  const pay = tool('pay', 'Pays.', { order: 'number' }, async (_args, { callKey, attempt, signal }) => {
    seen.push({ callKey, attempt });
    if (seen.length === 1) {
      await new Promise<void>((resolve) => {
        finish = resolve;
        signal.addEventListener('abort', () => {
          isAborted = true;
          resolve();
        });
      });
    }
    return 'paid';
  });
  const server = createSdkMcpServer({ name: 'shop', tools: [pay], alwaysLoad: true });
  const options: Options = { mcpServers: { shop: server }, permissionMode: 'default' };
  return {
    seen,
    options,
    allowed: { ...options, allowedTools: [pay] },
    finish: () => finish(),
    isAborted: () => isAborted,
  };
}

function kill(session: Session): void {
  process.kill(-(session.pid as number), 'SIGKILL');
}

/** Cuts a turn off in the middle of a tool call. */
async function cutOff(
  stage: Stage,
  options: Options,
  isReached: () => boolean,
): Promise<{ id: string; uuid: string }> {
  const session = openSession({ options: stage.options(options) });
  const turn = session.send('Pay order 7.');
  const lost = turn.outcome().catch((error: unknown) => error);
  await waitUntil(isReached);
  const id = String(session.sessionId);
  await written(stage.home, id, CALLED);
  kill(session);
  expect(await lost).toMatchObject({ code: 'TURN_LOST', toolsUsed: true });
  await session.close();
  return { id, uuid: turn.uuid };
}

async function continueWhenOpened(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, PAY, text('Paid.'), text('Welcome.')] }, async (stage) => {
    const shop = createShop();
    const { id, uuid } = await cutOff(stage, shop.allowed, () => shop.seen.length === 1);
    const asState = () => getTranscriptState(id, { env: stage.home.env });
    expect(await asState()).toMatchObject({
      state: 'interrupted',
      uuid,
      stopped: false,
      openCalls: [{ toolName: 'mcp__shop__pay', input: { order: 7 } }],
    });

    await using session = openSession({
      options: stage.options({ ...shop.allowed, resume: id }),
      interrupted: 'continue',
    });
    const turn = await session.continued;
    expect(turn?.uuid).toBe(uuid);
    const types = [];
    for await (const message of turn ?? []) types.push(message.type);
    expect(types).toEqual(expect.arrayContaining(['assistant', 'user', 'result']));
    expect(await turn?.text()).toBe('Paid.');
    const [first] = shop.seen;
    expect(shop.seen).toEqual([first, { callKey: first?.callKey, attempt: 2 }]);
    // The model knows that the outcome of the first call is unknown, and reads its order once.
    const asked = JSON.stringify(stage.model.conversation[1]?.body.messages);
    expect(asked).toMatch(/outcome is unknown/);
    expect(asked.split('Pay order 7.')).toHaveLength(2);
    expect(await session.send('Thank you.').text()).toBe('Welcome.');
    await written(stage.home, id, 'Welcome.');
    expect(await asState()).toMatchObject({ state: 'answered', text: 'Welcome.' });
  });
}

async function continueNothing(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('Done.'), PAY, text('Once more.')] }, async (stage) => {
    const shop = createShop();
    const before = openSession({ options: stage.options(shop.allowed) });
    expect(await before.send('Do it.').text()).toBe('Done.');
    await written(stage.home, String(before.sessionId), 'Done.');
    // Interrupted on purpose, which is no crash.
    const stopped = before.send('Pay order 7.');
    await waitUntil(() => shop.seen.length === 1);
    await before.interrupt();
    await stopped.outcome();
    await before.close();
    const options = stage.options({ ...shop.allowed, resume: String(before.sessionId) });
    await using session = openSession({ options, interrupted: 'continue' });
    expect(await session.continued).toBeUndefined();
    expect(await session.send('Again.').text()).toBe('Once more.');
  });
}

async function continueAfterCrash(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, text('Paid.')] }, async (stage) => {
    const shop = createShop();
    await using session = openSession({
      options: stage.options(shop.allowed),
      restart: { resend: 'continue', backoffMs: 1 },
    });
    const turn = session.send('Pay order 7.');
    await waitUntil(() => shop.seen.length === 1);
    await written(stage.home, String(session.sessionId), CALLED);
    const events = session.events();
    kill(session);
    for await (const { type } of events) if (type === 'crashed') break;
    // Its CLI is gone; the handler goes on, and the model gets what it gives.
    shop.finish();
    expect(await turn.text()).toBe('Paid.');
    expect(shop.seen).toHaveLength(1);
    expect((await turn.outcome()).completedCalls).toMatchObject([{ delivered: true }]);
    const asked = JSON.stringify(stage.model.conversation[1]?.body.messages);
    expect(asked).toContain('"text":"paid"');
    expect(asked).not.toMatch(/outcome is unknown/);
  });
}

async function cancelWhatNobodyContinues(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, text('Next.')] }, async (stage) => {
    const shop = createShop();
    await using session = openSession({
      options: stage.options(shop.allowed),
      restart: { resend: 'never', backoffMs: 1 },
    });
    const lost = session.send('Pay order 7.').outcome();
    await waitUntil(() => shop.seen.length === 1);
    await written(stage.home, String(session.sessionId), CALLED);
    kill(session);
    await expect(lost).rejects.toMatchObject({ code: 'TURN_LOST', sessionGoesOn: true });
    // The session continues without that turn, so the handler's result is not needed.
    await waitUntil(shop.isAborted);
    expect(await session.send('Go on.').text()).toBe('Next.');
  });
}

async function askAgainUnderTheSameKey(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, PAY, text('Paid.')] }, async (stage) => {
    const shop = createShop();
    shop.seen.push({ callKey: 'none', attempt: 0 });
    const asked: { callKey: string | undefined; attempt: number | undefined }[] = [];
    const canUseTool: CanUseTool = async (_name, _input, { callKey, attempt }) => {
      asked.push({ callKey, attempt });
      return asked.length === 1 ? null : allow();
    };
    const options = { ...shop.options, canUseTool };
    const before = openSession({ options: stage.options(options) });
    const lost = before.send('Pay order 7.').outcome();
    await waitUntil(() => asked.length === 1);
    // As a host does that is told to leave, in the very moment: the question is to outlive it.
    // Closing an abandoned session as usual does not interrupt its turn.
    await Promise.all([before.abandon(), before.close()]);
    await expect(lost).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    await using session = openSession({
      options: stage.options({ ...options, resume: String(before.sessionId) }),
      interrupted: 'continue',
    });
    expect(await (await session.continued)?.text()).toBe('Paid.');
    expect(asked[1]).toEqual({ callKey: asked[0]?.callKey, attempt: 2 });
    expect(shop.seen[1]).toEqual(asked[1]);
  });
}

/** Cuts a turn off while a permission is asked, as `abandon()` leaves it; gives the id of its session. */
async function abandonAsked(stage: Stage, options: Options): Promise<string> {
  let asked = 0;
  const canUseTool: CanUseTool = async () => {
    asked += 1;
    return null;
  };
  const before = openSession({ options: stage.options({ ...options, canUseTool }) });
  const lost = before
    .send('Pay order 7.')
    .outcome()
    .catch((error: unknown) => error);
  await waitUntil(() => asked === 1);
  await before.abandon();
  expect(await lost).toMatchObject({ code: 'SESSION_CLOSED' });
  return String(before.sessionId);
}

/** A person allows the tool for good while there is no CLI: its next call runs without a question. */
function allowForGood(destination: 'session' | 'localSettings') {
  return async (cli: Cli): Promise<void> => {
    const again = toolUse('mcp__shop__pay', { order: 8 });
    await onStage(cli, { script: [PAY, again, text('Paid.')] }, async (stage) => {
      const shop = createShop();
      shop.seen.push({ callKey: 'none', attempt: 0 });
      const id = await abandonAsked(stage, shop.options);
      let asked = 0;
      const rules = [{ toolName: 'mcp__shop__pay' }];
      const canUseTool: CanUseTool = async () => {
        asked += 1;
        return allow({ remember: [{ type: 'addRules', rules, behavior: 'allow', destination }] });
      };
      await using session = openSession({
        options: stage.options({ ...shop.options, canUseTool, resume: id }),
        interrupted: 'continue',
      });
      expect(await (await session.continued)?.text()).toBe('Paid.');
      expect(asked).toBe(1);
      expect(shop.seen).toHaveLength(3);
      const path = join(stage.home.cwd, '.claude', 'settings.local.json');
      const isWritten = existsSync(path) && readFileSync(path, 'utf8').includes('mcp__shop__pay');
      expect(isWritten).toBe(destination === 'localSettings');
    });
  };
}

/** The hook of a settings file before a call has run when the permission is asked. The hook after it is missed, with a warning. */
async function nameMissedHooks(cli: Cli): Promise<void> {
  await onStage(cli, { script: [PAY, text('Paid.')] }, async (stage) => {
    const shop = createShop();
    shop.seen.push({ callKey: 'none', attempt: 0 });
    const note = (event: string): string => join(stage.home.cwd, event);
    const hook = (event: string) => [{ hooks: [{ type: 'command', command: `touch '${note(event)}'` }] }];
    const hooks = { PreToolUse: hook('PreToolUse'), PostToolUse: hook('PostToolUse') };
    writeFileSync(join(stage.home.configDir, 'settings.json'), JSON.stringify({ hooks }));
    const id = await abandonAsked(stage, shop.options);
    expect([existsSync(note('PreToolUse')), existsSync(note('PostToolUse'))]).toEqual([true, false]);
    const codes: string[] = [];
    await using session = openSession({
      options: stage.options({
        ...shop.options,
        canUseTool: async () => allow(),
        resume: id,
        onWarning: ({ code }) => codes.push(code),
      }),
      interrupted: 'continue',
    });
    expect(await (await session.continued)?.text()).toBe('Paid.');
    expect(codes).toContain('SETTINGS_HOOKS_NOT_RUN');
    expect(existsSync(note('PostToolUse'))).toBe(false);
  });
}

const HOST = fileURLToPath(new URL('../../fixtures/children/continuing-host.mjs', import.meta.url));

/** Two processes continue the session at the same moment: one asks, runs the call and goes on; the other waits and finds nothing to do. */
async function continueInTwoHosts(cli: Cli): Promise<void> {
  const built = buildSource('inboard/src/index.ts');
  const called = toolUse('mcp__shop__pay', { order: '7' });
  const children: ChildProcess[] = [];
  try {
    await onStage(cli, { script: [called, text('Paid.')] }, async (stage) => {
      const pay = tool('pay', 'Pays.', { order: 'string' }, () => 'paid');
      const server = createSdkMcpServer({ name: 'shop', tools: [pay], alwaysLoad: true });
      const resume = await abandonAsked(stage, { mcpServers: { shop: server }, permissionMode: 'default' });
      const effects = join(stage.home.cwd, 'effects');
      const hosts = [0, 1].map(() => {
        const args = [HOST, built.folder, JSON.stringify(stage.options({ resume })), effects];
        const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
        children.push(child);
        const lines: string[] = [];
        createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
        return { lines, tell: (line: string) => void child.stdin.write(`${line}\n`) };
      });
      await waitUntil(() => hosts.some(({ lines }) => lines.includes('asked')));
      const [winner] = hosts.filter(({ lines }) => lines.includes('asked'));
      const loser = hosts.find((host) => host !== winner);
      winner?.tell('allow');
      await waitUntil(() => winner?.lines.includes('text Paid.') === true);
      await written(stage.home, resume, 'Paid.');
      winner?.tell('close');
      await waitUntil(() => loser?.lines.includes('nothing') === true);
      loser?.tell('close');
      await waitUntil(() => hosts.every(({ lines }) => lines.includes('closed')));
      expect(winner?.lines).toEqual(['asked', 'text Paid.', 'closed']);
      expect(loser?.lines).toEqual(['nothing', 'closed']);
      expect(readFileSync(effects, 'utf8')).toBe('paid 7\n');
      const seen = JSON.stringify(stage.lastRequest().body.messages);
      expect(seen.match(/"type":"tool_result"/g)).toHaveLength(1);
      expect(seen).toContain('paid 7');
      expect(stage.model.conversation).toHaveLength(2);
    });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    built.remove();
  }
}

export const continuationCases: CaseSet = {
  'goes on with a turn that a crash cut off, when the session is opened again': continueWhenOpened,
  'goes on with nothing where the last turn was stopped on request': continueNothing,
  'goes on with the turn of a CLI that was killed (resend: continue)': continueAfterCrash,
  'cancels a handler whose turn is lost with its CLI (resend: never)': cancelWhatNobodyContinues,
  'asks again about an abandoned call under the same key': askAgainUnderTheSameKey,
  'takes over what somebody allows for the session while there is no CLI': allowForGood('session'),
  'takes over what somebody allows in the settings while there is no CLI': allowForGood('localSettings'),
  'names hooks of settings files that did not run after a call': nameMissedHooks,
  'goes on in one of two processes that continue a session at once': continueInTwoHosts,
};
