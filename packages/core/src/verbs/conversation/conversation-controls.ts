// Sends the control requests of a conversation to the CLI that it has at the moment. Waits for that CLI, or starts one where
// it is suspended. Notes the changes, so that the next CLI gets them as well.
import type { RequestOptions } from '../../wire/channel/channel.js';
import type { SDKControlInitializeResponse, SlashCommand } from '../../wire/protocol/control/control.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { McpSetServersResult } from '../../wire/protocol/config/mcp-status.js';
import type { ControlTarget } from '../../live/controls/control-target.js';
import { limitControl } from '../../live/controls/limit-control.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { ReadyOptions } from '../../live/tooling/await-tools.js';
import type { ToolReport } from '../../live/tooling/tool-report.js';
import type { ConversationCli } from './conversation-cli.js';
import type { RecordingParts } from './recording-parts.js';
import type { OpenTurn } from './turns/turn.js';

const UNKNOWN: ControlTarget['capabilities'] = { known: { version: undefined, names: [] }, has: () => false };

/** One per conversation. */
export class ConversationControls implements ControlTarget {
  readonly #parts: RecordingParts;
  readonly #cli: ConversationCli;
  /** Called after each request, however it ended. */
  readonly #onSettled: () => void;
  #open = 0;

  constructor(parts: RecordingParts, cli: ConversationCli, onSettled: () => void) {
    this.#parts = parts;
    this.#cli = cli;
    this.#onSettled = onSettled;
  }

  /** Whether a request of the caller is still unanswered. */
  get isAsked(): boolean {
    return this.#open > 0;
  }

  /** What the CLI said in its handshake. Can also be read after the end. */
  get initialized(): Promise<SDKControlInitializeResponse> {
    return this.#cli.whenReady().then(
      (live) => live.initialized,
      (error: unknown) => {
        if (this.#cli.lastLive) return this.#cli.lastLive.initialized;
        throw error;
      },
    );
  }

  learnVersion(): Promise<void> | undefined {
    return this.#cli.lastLive?.learnVersion();
  }

  get changedCommands(): SlashCommand[] | undefined {
    return this.#cli.lastLive?.changedCommands;
  }

  get capabilities(): ControlTarget['capabilities'] {
    return this.#cli.lastLive?.capabilities ?? UNKNOWN;
  }

  async request(request: { subtype: string }, options?: RequestOptions): Promise<unknown> {
    const { turns, journal } = this.#parts;
    const { cancel_queued, message_uuid } = request as { cancel_queued?: unknown; message_uuid?: unknown };
    if (request.subtype === 'cancel_async_message' && turns.drop(String(message_uuid)))
      return { cancelled: true };
    if (request.subtype === 'interrupt' && cancel_queued === true) turns.drop();
    const next = request.subtype === 'interrupt' && cancel_queued !== true ? this.#nextTurn : undefined;
    if (next) {
      await next.whenBegun();
      // An interrupt that is late must not stop the turn after it.
      if (next.isOver) return undefined;
    }
    // Without a running CLI there is nothing to interrupt, and no reason to start one.
    if (request.subtype === 'interrupt' && this.#cli.state !== 'ready') {
      // This stops a turn that waits for a person without a CLI.
      const stopped = this.#cli.stopWaiting();
      if (stopped) await stopped;
      else this.#parts.recording.interrupt();
      return undefined;
    }
    // The next CLI gets the change when the turn that waits goes on. Until then there is none to tell.
    if (this.#cli.state === 'waiting' && journal.note(request)) return undefined;
    return await this.#ask(options, async (live) => {
      const answer = await live.request(request, options);
      journal.note(request);
      return answer;
    });
  }

  async setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult> {
    return await this.#ask(options, async (live) => {
      const answer = await live.setMcpServers(servers, options);
      this.#parts.journal.noteServers(servers);
      return answer;
    });
  }

  async reinitialize(options?: RequestOptions): Promise<SDKControlInitializeResponse> {
    return await this.#ask(options, (live) => live.reinitialize(options));
  }

  /** Waits for servers and tools. The CLI is not suspended in the meantime. */
  ready(options: ReadyOptions = {}): Promise<ToolReport> {
    const { signal } = options;
    return limitControl('ready', { signal }, () => this.#ask({ signal }, (live) => live.ready(options)));
  }

  /** The turn that an interrupt is meant for, while it has not begun. Undefined where another turn comes first, or none. */
  get #nextTurn(): OpenTurn | undefined {
    const { turns } = this.#parts;
    const isFirst = !turns.written.isInTurn && !this.#cli.mayContinue && this.#cli.state !== 'waiting';
    return isFirst ? turns.waiting[0] : turns.written.next;
  }

  async #ask<T>(options: RequestOptions | undefined, put: (live: LiveCli) => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      const live = await this.#cli.whenReady();
      // The caller may have given up while it waited for a CLI.
      options?.signal?.throwIfAborted();
      return await put(live);
    } finally {
      this.#open -= 1;
      this.#onSettled();
    }
  }
}
