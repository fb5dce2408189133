// A store that says that this process must not write any more: at every moment of a query, all who wait are told, and no CLI is left.
import { describe, expect, it } from 'vitest';
import type { SessionStore } from '../../src/wire/protocol/config/session-store.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { useSessions } from '../../../../test/support/session-scene.js';
import {
  ask,
  canUseTool,
  emit,
  exit,
  expectLine,
  handshake,
  HANG,
  init,
  mark,
  result,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

const ID = '00000000-0000-4000-8000-00000000000a';
const mirrored = (rest = '') => ({
  type: 'transcript_mirror',
  filePath: `/home/x/.claude/projects/-x/${ID}${rest}.jsonl`,
  entries: [{ type: 'user', uuid: 'u1' }],
});
const fatal = (): Error => Object.assign(new Error('another host has it'), { fatal: true });
const storeOf = (append: SessionStore['append']): SessionStore => ({
  append,
  load: () => Promise.resolve(null),
});
const refused = { code: 'SESSION_STORE_FAILED', cause: { fatal: true } };

describe('a store that refuses for good', () => {
  const kind = 'memory';
  useVirtualClock();
  const play = useScenes();
  const saying = (...steps: Step[]): Step[] => [...handshake(), expectLine('user'), emit(init()), ...steps];

  it('after the CLI has already exited, still decides how the query ends', async () => {
    const late = createDeferred<void>();
    const { q, cli } = play({
      kind,
      steps: saying(emit(mirrored(), result()), exit(0)),
      options: { sessionStore: storeOf(() => late.promise) },
    });
    const ending = runToEnd(q);
    await expect.poll(() => cli.isGone()).toBe(true);
    late.reject(fatal());
    const { error, messages } = await settleWithin(2000, ending);
    expect(messages.map(({ type }) => type)).toEqual(['system']);
    expect(error).toMatchObject(refused);
  });

  it('is not outwaited by another append that hangs', async () => {
    const append: SessionStore['append'] = ({ subpath }) =>
      subpath === undefined ? Promise.reject(fatal()) : new Promise(() => {});
    const { q } = play({
      kind,
      steps: saying(emit(mirrored('/subagents/agent-1'), mirrored(), result()), HANG),
      options: { sessionStore: storeOf(append), sessionStoreFlush: 'eager' },
    });
    const { error } = await settleWithin(10_000, runToEnd(q));
    expect(error).toMatchObject(refused);
  });

  it('during the handshake ends it', async () => {
    const { q } = play({
      kind,
      steps: [emit(mirrored()), HANG],
      options: { sessionStore: storeOf(() => Promise.reject(fatal())), sessionStoreFlush: 'eager' },
    });
    const { error } = await settleWithin(2000, runToEnd(q));
    expect(error).toMatchObject(refused);
    await expect(q.initializationResult()).rejects.toMatchObject(refused);
  });

  it('while it is being closed changes nothing about that', async () => {
    const late = createDeferred<void>();
    const { q, cli } = play({
      kind,
      steps: saying(emit(mirrored()), mark('written'), HANG),
      options: { sessionStore: storeOf(() => late.promise), sessionStoreFlush: 'eager' },
    });
    const ending = runToEnd(q);
    await cli.marked('written');
    const closing = q.close();
    late.reject(fatal());
    await settleWithin(10_000, Promise.all([closing, ending]));
  });

  it('with a question to a person open cuts that question', async () => {
    const asked = createDeferred<AbortSignal>();
    const late = createDeferred<void>();
    const { q } = play({
      kind,
      steps: saying(emit(mirrored()), ask('p', canUseTool()), HANG),
      options: {
        sessionStore: storeOf(() => late.promise),
        sessionStoreFlush: 'eager',
        canUseTool: (_name, _input, { signal }) => {
          asked.resolve(signal);
          return new Promise(() => {});
        },
      },
    });
    const ending = runToEnd(q);
    const signal = await settleWithin(2000, asked.promise);
    late.reject(fatal());
    const { error } = await settleWithin(2000, ending);
    expect(error).toMatchObject(refused);
    expect(signal.aborted).toBe(true);
  });
});

describe('a session whose store refuses for good', () => {
  useVirtualClock();
  const play = useSessions();

  it('after its CLI has crashed is not brought back', async () => {
    const late = createDeferred<void>();
    const crash: Step[] = [...handshake(), expectLine('user'), emit(init(), mirrored()), mark('x'), exit(1)];
    const scene = play([crash, handshake()], {
      restart: { resend: 'continue' },
      options: { sessionStore: storeOf(() => late.promise), sessionStoreFlush: 'eager' },
    });
    const turn = outcomeOf(scene.session.send('hi').outcome());
    await elapse(100);
    late.reject(fatal());
    const { error } = await settleWithin(5000, turn);
    expect(error).toMatchObject({ code: 'TURN_LOST', sessionGoesOn: false, cause: refused });
    expect(await settleWithin(2000, scene.ended)).toMatchObject(refused);
    expect(scene.starts).toHaveLength(1);
  });
});
