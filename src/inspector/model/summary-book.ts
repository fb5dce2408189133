// Sums a session up while its events come: for the fleet on the server, for the header on the page.
import type { NumberedEvent } from '../stream/inspector-event.js';
import type { SessionSummary } from './session-summary.js';

/** The summary of one session. */
export class SummaryBook {
  readonly #summary: SessionSummary;

  constructor(id: string) {
    this.#summary = {
      id,
      kind: 'trace',
      title: id,
      state: 'starting',
      stateText: '',
      sessionId: undefined,
      model: undefined,
      permissionMode: undefined,
      cwd: undefined,
      claudeCodeVersion: undefined,
      startedAt: '',
      durationMs: 0,
      turns: 0,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      costUsd: undefined,
      errors: 0,
      waiting: 0,
      events: 0,
      shares: { model: 0, permission: 0, code: 0, cliTools: 0, overhead: 0, idle: 0 },
      prompt: '',
      answer: '',
      can: { send: false, interrupt: false, setModel: false, setMode: false, rewind: false },
    };
  }

  push(_event: NumberedEvent): void {
    this.#summary.events += 1;
  }

  /** As of the last event. */
  read(): SessionSummary {
    return this.#summary;
  }
}
