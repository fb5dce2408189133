// One session's connection to the editor. Sends updates in order. The code that asks questions reaches the editor through it.
import type { AgentContext, ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import { createDeferred } from '@inboard/core/util/deferred.js';
import type { AcpLibrary } from '../acp-library.js';

/** What all sessions of an agent use to reach the editor. */
export interface EditorSide {
  readonly library: AcpLibrary;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** Writes a line into the agent's log. */
  note(line: string): void;
}

/** The connection that all parts of a session share. */
export class EditorLink {
  readonly library: AcpLibrary;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly note: (line: string) => void;
  /** The id by which the editor knows the session. It is set before anything is sent. */
  sessionId = '';
  readonly #opened = createDeferred<void>();
  #isOpen = false;
  #last: Promise<void> = this.#opened.promise;

  constructor(side: EditorSide) {
    this.library = side.library;
    this.client = side.client;
    this.capabilities = side.capabilities;
    this.note = (line) => side.note(line);
  }

  /** Lets updates through, because the editor now knows the session. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /** Lets held updates go on. If the editor never learned of the session, they are dropped. */
  close(): void {
    this.#opened.resolve();
  }

  /**
   * Sends updates in the order of the calls. Resolves when they are written. Never rejects, because an editor that has gone
   * needs no updates.
   */
  update(updates: readonly SessionUpdate[]): Promise<void> {
    const { library, client, sessionId } = this;
    for (const update of updates) {
      this.#last = this.#last
        .then(async () => {
          if (this.#isOpen) await client.notify(library.methods.client.session.update, { sessionId, update });
        })
        .catch(() => {});
    }
    return this.#last;
  }
}
