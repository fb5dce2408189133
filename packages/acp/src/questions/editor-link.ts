// One session's line to the editor: updates in order, and what questions are asked with.
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

/** What the parts of a session say to the editor. */
export class EditorLink {
  readonly library: AcpLibrary;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly note: (line: string) => void;
  /** The id the editor knows the session by; set before anything is sent. */
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

  /** Lets updates through: the editor knows the session. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /** The session is over; of one that the editor never heard of, nothing is sent. */
  close(): void {
    this.#opened.resolve();
  }

  /** Sends updates in the order of the calls; resolves when they are written. Never rejects: an editor that has gone reads nothing. */
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
