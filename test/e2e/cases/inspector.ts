// The inspector on the real CLI: what a page sees of a run, over HTTP as a browser would ask, and what it can answer.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inspectTarget, type Inspector } from '../../../packages/inspector/src/inspect.js';
import {
  INSPECT_TARGET,
  type SessionsTarget,
} from '../../../packages/core/src/live/watch/session-registry.js';
import type {
  Action,
  ActionResult,
  EventBatch,
  ServerState,
} from '../../../packages/inspector/src/model/page-contract.js';
import { decodeNumbered } from '../../../packages/inspector/src/stream/event-codec.js';
import type { InspectorEvent } from '../../../packages/inspector/src/stream/inspector-event.js';
import type { Question } from '../../../packages/inspector/src/stream/question.js';
import { enterByLink, type Visitor as Entered } from '../../../packages/inspector/test/support/visitor.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { gate, held, openSession, text, toolUse, type CanUseTool } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

const leaveOpen: CanUseTool = async () => null;
const bash = (command: string) => toolUse('Bash', { command });
const isMade = (stage: Stage, name: string): boolean => existsSync(join(stage.home.cwd, name));

/** A browser that was let in by the link. */
class Visitor {
  readonly #entered: Entered;

  private constructor(entered: Entered) {
    this.#entered = entered;
  }

  static async enter(link: string): Promise<Visitor> {
    return new Visitor(await enterByLink(link));
  }

  async get<T>(path: string): Promise<T> {
    const { origin, headers } = this.#entered;
    const response = await fetch(`${origin}${path}`, { headers });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  async act(action: Action): Promise<ActionResult> {
    return await this.#entered.act(action);
  }

  state(): Promise<ServerState> {
    return this.get('/api/state');
  }

  /** The questions that wait, once there are so many. */
  async questions(count: number): Promise<Question[]> {
    let found: Question[] = [];
    await waitUntil(async () => (found = (await this.state()).questions).length >= count);
    return found;
  }

  async events(session = 's1'): Promise<InspectorEvent[]> {
    const { lines } = await this.get<EventBatch>(`/api/events?session=${session}&after=0&limit=2000`);
    return lines.flatMap((line) => decodeNumbered(line)?.event ?? []);
  }
}

/** An inspector of one session, without the built page. */
async function inspectObject(object: object): Promise<Inspector & { visitor: Visitor }> {
  const target = (object as Record<typeof INSPECT_TARGET, () => SessionsTarget>)[INSPECT_TARGET]();
  const assets = { script: '', style: '', served: new Map<string, Buffer>() };
  const inspector = await inspectTarget(target, { print: false, port: 0, assets });
  return { ...inspector, visitor: await Visitor.enter(inspector.url) };
}

async function answerFromPage(cli: Cli): Promise<void> {
  const script = [bash('touch first'), bash('touch second'), bash('touch third'), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const { query } = stage.start('Go.', { canUseTool: leaveOpen });
    await using inspector = await inspectObject(query);
    const { visitor } = inspector;
    const rest = readRest(query);
    const answer = async (decision: Extract<Action, { action: 'answer' }>['decision']) => {
      const [question] = await visitor.questions(1);
      const id = question?.id ?? '';
      expect(await visitor.act({ action: 'answer', session: 's1', id, decision })).toEqual({ ok: true });
      await waitUntil(async () => (await visitor.state()).questions.every((each) => each.id !== id));
      return question;
    };
    const asked = await answer({ kind: 'allow' });
    expect(asked).toMatchObject({ kind: 'permission', subject: 'Bash', input: { command: 'touch first' } });
    await answer({ kind: 'deny', message: 'Not this one.' });
    await answer({ kind: 'allow', edits: [{ path: ['command'], value: 'touch edited' }] });
    expect(await rest).toMatchObject({ error: undefined });
    expect(['first', 'second', 'third', 'edited'].filter((name) => isMade(stage, name))).toEqual([
      'first',
      'edited',
    ]);
    const events = await visitor.events();
    const settled = events.filter(({ type }) => type === 'settled');
    expect(settled).toMatchObject([
      { outcome: 'allowed', by: 'inspector' },
      { outcome: 'denied', message: 'Not this one.' },
      { outcome: 'allowed', isEdited: true },
    ]);
    expect(events.at(0)?.type).toBe('opened');
    await waitUntil(async () => (await visitor.events()).at(-1)?.type === 'over');
    expect((await visitor.state()).sessions).toMatchObject([{ id: 's1', state: 'ended', turns: 1 }]);
  });
}

async function answerTheModel(cli: Cli): Promise<void> {
  const question = 'Tea or coffee?';
  const options = ['Tea', 'Coffee'].map((label) => ({ label, description: label }));
  const questions = [{ question, header: 'Drink', options, multiSelect: false }];
  const script = [toolUse('AskUserQuestion', { questions }), text('Tea it is.')];
  await onStage(cli, { script }, async (stage) => {
    const { query } = stage.start('Ask me.', { canUseTool: leaveOpen });
    await using inspector = await inspectObject(query);
    const { visitor } = inspector;
    const rest = readRest(query);
    const [asked] = await visitor.questions(1);
    expect(asked).toMatchObject({ kind: 'ask-user', subject: 'AskUserQuestion' });
    const decision = { kind: 'submit', content: { [question]: 'Tea' } } as const;
    await visitor.act({ action: 'answer', session: 's1', id: asked?.id ?? '', decision });
    expect(await rest).toMatchObject({ error: undefined });
    expect(stage.lastRequest().toolResults.at(-1)?.text).toContain('Tea');
  });
}

async function withdrawWhenInterrupted(cli: Cli): Promise<void> {
  await onStage(cli, { script: [bash('touch made')] }, async (stage) => {
    const { query } = stage.start('Go.', { canUseTool: leaveOpen });
    await using inspector = await inspectObject(query);
    const { visitor } = inspector;
    const rest = readRest(query);
    const [asked] = await visitor.questions(1);
    expect(await visitor.act({ action: 'interrupt', session: 's1' })).toEqual({ ok: true });
    await rest;
    expect((await visitor.state()).questions).toEqual([]);
    const settled = (await visitor.events()).filter(({ type }) => type === 'settled');
    expect(settled).toMatchObject([{ id: asked?.id, outcome: 'withdrawn' }]);
    expect(isMade(stage, 'made')).toBe(false);
  });
}

async function joinLate(cli: Cli): Promise<void> {
  const pause = gate();
  const script = [held(text('First.'), pause), text('Second.')];
  await onStage(cli, { script }, async (stage) => {
    const session = openSession({ options: stage.options() });
    const first = session.send('One.');
    await pause.reached;
    await using inspector = await inspectObject(session);
    const { visitor } = inspector;
    expect(await visitor.act({ action: 'send', session: 's1', text: 'Two.' })).toEqual({ ok: true });
    pause.open();
    expect((await first.outcome()).text).toContain('First');
    await waitUntil(async () => JSON.stringify(await visitor.events()).includes('Second.'));
    const events = await visitor.events();
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['opened', 'header', 'gap']);
    // The answer is there a little before the end of its turn.
    await waitUntil(async () => (await visitor.state()).sessions[0]?.state === 'idle');
    expect((await visitor.state()).sessions).toMatchObject([{ kind: 'conversation' }]);
    await session.close();
  });
}

export const inspectorCases: CaseSet = {
  'allows, denies and edits from the page': answerFromPage,
  'answers the model’s questions from the page': answerTheModel,
  'withdraws a question when the turn is interrupted from the page': withdrawWhenInterrupted,
  'joins a conversation that is under way, and sends it a message': joinLate,
};
