// The controls of a long session, whichever CLI it has at the moment: they wait for one, start one that is
// suspended, and remember what they changed for the next.
import type { RequestOptions } from '../../wire/channel/channel.js';
import type { SDKControlInitializeResponse, SlashCommand } from '../../wire/protocol/control/control.js';
import type { McpServerConfig, McpSetServersResult } from '../../wire/protocol/config/mcp-config.js';
import type { ReadyOptions } from '../../live/tooling/await-tools.js';
import { ChangeJournal } from './change-journal.js';
import type { ControlTarget } from '../../live/controls/control-row.js';
import { limitControl } from '../../live/controls/limit-control.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { ToolReport } from '../../live/tooling/tool-check.js';

/** Where the CLI comes from. */
export interface CliSource {
  /** The one there is now. */
  readonly live: LiveCli | undefined;
  /** Whether it takes requests now. */
  readonly isReady: boolean;
  /** One that takes requests, started if need be; rejects once the session is over. */
  whenReady(): Promise<LiveCli>;
}

export interface ConversationControlsOptions {
  source: CliSource;
  /** Withdraws a message that waits here, or without an id all of them; false when there is none. */
  dropWaiting: (uuid?: string) => boolean;
  /** Told of every request that came to its end. */
  onSettled: () => void;
}

const NOT_KNOWN: ControlTarget['capabilities'] = {
  known: { version: undefined, names: [] },
  has: () => false,
};

/** One per session. */
export class ConversationControls implements ControlTarget {
  readonly #options: ConversationControlsOptions;
  readonly #source: CliSource;
  readonly #journal = new ChangeJournal();
  /** The last CLI that shook hands, be it gone. */
  #last: LiveCli | undefined;
  #open = 0;

  constructor(options: ConversationControlsOptions) {
    this.#options = options;
    this.#source = options.source;
  }

  /** Whether a request of the caller's has no answer yet. */
  get isAsked(): boolean {
    return this.#open > 0;
  }

  /** Can be read after the end, too. */
  get initialized(): Promise<SDKControlInitializeResponse> {
    return this.#source.whenReady().then(
      (live) => live.initialized,
      (error: unknown) => {
        if (this.#last) return this.#last.initialized;
        throw error;
      },
    );
  }

  get changedCommands(): SlashCommand[] | undefined {
    return this.#last?.changedCommands;
  }

  get capabilities(): ControlTarget['capabilities'] {
    return this.#last?.capabilities ?? NOT_KNOWN;
  }

  /** Brings a CLI that has just been started to the state the caller left the last one in; gives what failed. */
  async introduce(live: LiveCli): Promise<Error[]> {
    this.#last = live;
    return await this.#journal.apply(live);
  }

  async request(request: { subtype: string }, options?: RequestOptions): Promise<unknown> {
    const { dropWaiting } = this.#options;
    const { cancel_queued, message_uuid } = request as { cancel_queued?: unknown; message_uuid?: unknown };
    if (request.subtype === 'cancel_async_message' && dropWaiting(String(message_uuid)))
      return { cancelled: true };
    if (request.subtype === 'interrupt' && cancel_queued === true) dropWaiting();
    // There is nothing to interrupt where nothing runs, and no reason to start it.
    if (request.subtype === 'interrupt' && !this.#source.isReady) return undefined;
    return await this.#ask(options, async (live) => {
      const answer = await live.request(request, options);
      this.#journal.note(request);
      return answer;
    });
  }

  async setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult> {
    return await this.#ask(options, async (live) => {
      const answer = await live.setMcpServers(servers, options);
      this.#journal.noteServers(servers);
      return answer;
    });
  }

  async reinitialize(options?: RequestOptions): Promise<SDKControlInitializeResponse> {
    return await this.#ask(options, (live) => live.reinitialize(options));
  }

  /** Waits for servers and tools, and keeps the CLI awake meanwhile. */
  ready(options: ReadyOptions = {}): Promise<ToolReport> {
    const { signal } = options;
    return limitControl('ready', { signal }, () => this.#ask({ signal }, (live) => live.ready(options)));
  }

  async #ask<T>(options: RequestOptions | undefined, put: (live: LiveCli) => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      const live = await this.#source.whenReady();
      // Given up while there was no CLI to put it to.
      options?.signal?.throwIfAborted();
      return await put(live);
    } finally {
      this.#open -= 1;
      this.#options.onSettled();
    }
  }
}
