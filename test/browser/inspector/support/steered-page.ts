// A page of the real server over sessions that a test fills by hand: what the page asks for is kept, and answered as told.
import type { Action, ActionResult } from '../../../../packages/inspector/src/model/page-contract.js';
import type { SessionSummary } from '../../../../packages/inspector/src/model/session-summary.js';
import { SessionModel } from '../../../../packages/inspector/src/model/session-model.js';
import { startInspectorServer } from '../../../../packages/inspector/src/server/inspector-server.js';
import { readPageAssets } from '../../../../packages/inspector/src/server/page-assets.js';
import type { NumberedEvent } from '../../../../packages/inspector/src/stream/inspector-event.js';
import type { Question } from '../../../../packages/inspector/src/stream/question.js';
import { buildPageOnce } from '../../../../packages/inspector/test/support/built-page.js';
import { FakeSource } from '../../../../packages/inspector/test/support/fake-source.js';
import type { Look, Page } from '../../support/page.js';
import type { Pages } from './browser-tests.js';

/** Sessions that can do everything. */
export class SteeredSource extends FakeSource {
  readonly #models = new Map<string, SessionModel>();
  can = true;

  /** Adds the events of a recording as those of a session. */
  play(session: string, events: readonly NumberedEvent[]): void {
    for (const { event } of events) this.add(session, event);
  }

  override add(session: string, event?: object): number {
    const n = super.add(session, event);
    const model = this.#models.get(session) ?? new SessionModel(session);
    this.#models.set(session, model);
    if (event) model.push({ n, s: session, event: event as NumberedEvent['event'] });
    return n;
  }

  override sessions(): SessionSummary[] {
    const { can } = this;
    return [...this.#models.values()].map((model) => ({
      ...model.summary.read(),
      state: 'waiting',
      can: { send: can, interrupt: can, setModel: can, setMode: can, rewind: can },
    }));
  }

  /** The actions of one kind, in order. */
  acted<Name extends Action['action']>(name: Name): Array<Extract<Action, { action: Name }>> {
    return this.acts.filter((each): each is Extract<Action, { action: Name }> => each.action === name);
  }

  /** From now on, answered questions go, and a tool's call gives this result. */
  answerBy(answer: (action: Action) => ActionResult): void {
    this.answer = async (action) => {
      const result = answer(action);
      if (action.action === 'answer' && result.ok) this.settle(action.session, action.id);
      return result;
    };
  }
}

/** Opens a page on a source; `close` ends the server. */
export async function openSteeredPage(
  pages: Pages,
  source: SteeredSource,
  { isReadOnly = false, path = '', ...look }: Look & { isReadOnly?: boolean; path?: string } = {},
): Promise<{ page: Page; close: () => Promise<void> }> {
  const assets = readPageAssets(await buildPageOnce());
  const server = await startInspectorServer(source, { assets, port: 0, isReadOnly });
  const page = await pages.open(server.createLink() + path, look);
  return { page, close: () => server.close() };
}

/** A question with everything that is not given. */
export function makeQuestion(given: Partial<Question>): Question {
  return {
    id: 'q1',
    session: 'one',
    kind: 'permission',
    subject: 'Bash',
    title: 'Claude wants to run a command',
    input: {},
    hidden: [],
    suggestions: [],
    askedAt: Date.now() - 12_000,
    attempt: 1,
    canAnswer: true,
    ...given,
  };
}
