// One CLI process as its owner sees it: the requests it takes, and its end. `live-start` starts the process, `live-end` ends
// it, and `live-parts` makes its parts.
import { MessageIgnoredError } from '../errors.js';
import { findVersionWarnings } from '../options/supported-versions.js';
import type { RequestOptions } from '../wire/channel/channel.js';
import type { McpServerConfig } from '../wire/protocol/config/mcp-config.js';
import type { McpSetServersResult } from '../wire/protocol/config/mcp-status.js';
import type { InitializeResponse, SlashCommand } from '../wire/protocol/control/control.js';
import type { SDKMessage } from '../wire/protocol/messages/messages.js';
import type { TransportEnd } from '../wire/transport/transport.js';
import type { ControlTarget } from './controls/control-target.js';
import type { EndCause } from './ending.js';
import { inspectLive } from './inspect-live.js';
import { readPrompt, type Prompt } from './input/prompt-source.js';
import { LateParts } from './late-parts.js';
import { launchLate, loadLauncherEarly } from './launch-late.js';
import { checkForLive } from './live-checks.js';
import type { LiveCliOptions } from './live-cli-options.js';
import { LiveEnd } from './live-end.js';
import { composeParts, type LiveParts } from './live-parts.js';
import { awaitReady, repeatHandshake } from './live-ready.js';
import { LiveStart } from './live-start.js';
import { LiveState } from './live-state.js';
import { describeExchange, takeQuestions, type OpenExchange, type ReleasedQuestions } from './release-cli.js';
import type { ReadyOptions } from './tooling/await-tools.js';
import { createCallLedger } from './tooling/call-ledger.js';
import type { ToolReport } from './tooling/tool-report.js';
import type { InspectedSession } from './watch/inspected-session.js';

/** A running CLI. Its owner must let it end on its own, or call `close`. */
export class LiveCli implements ControlTarget {
  readonly #state: LiveState;
  readonly #late: LateParts;
  readonly #ending: LiveEnd;
  readonly #starting: LiveStart;
  /** Resolves when the CLI is gone and everything of it is cleaned up. Never rejects. */
  readonly over: Promise<void>;

  constructor({
    prompt,
    options,
    launch = launchLate,
    calls,
    slot,
    recorder,
    unrecorded,
    completed,
    readsPartials = false,
    onIgnored,
  }: LiveCliOptions) {
    if (launch === launchLate) loadLauncherEarly();
    const checked = checkForLive(options);
    const { warnings } = checked;
    const state = new LiveState({
      wantsText: options.streamText === true,
      readsPartials,
      onIgnored: onIgnored ?? ((uuid) => warnings.report(new MessageIgnoredError(uuid))),
      onVersionLearned: (found) => {
        for (const warning of findVersionWarnings(found)) warnings.emit(warning);
      },
    });
    const late = new LateParts(
      () => composeParts(checked, state, calls ?? createCallLedger(options), { slot, recorder, unrecorded }),
      warnings,
      (error) => this.#ending.breakOff(error),
    );
    this.#state = state;
    this.#late = late;
    this.#ending = new LiveEnd(state, late, warnings);
    this.over = this.#ending.over;
    this.#starting = new LiveStart({ state, checked, late, end: this.#ending, launch, completed });
    const source = prompt === undefined ? undefined : readPrompt(prompt);
    if (source) state.prompt.announce(typeof prompt === 'string');
    const signal = options.abortController?.signal;
    if (signal) this.#ending.follow(signal);
    this.#starting.run(source).catch((error: unknown) => this.#ending.abandon(error));
  }

  get #parts(): LiveParts {
    return this.#late.get();
  }

  /** The CLI's messages, for one consumer. */
  get messages(): LiveParts['messages'] {
    return this.#parts.messages;
  }

  get capabilities(): LiveParts['capabilities'] {
    return this.#parts.capabilities;
  }

  get permissions(): LiveParts['permissions'] {
    return this.#parts.permissions;
  }

  get usage(): LiveParts['usage'] {
    return this.#parts.usage;
  }

  get texts(): LiveParts['texts'] {
    return this.#parts.texts;
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#late.next();
  }

  /** The child's process id, once it has been started. */
  get pid(): number | undefined {
    return this.#state.connection.transport?.pid;
  }

  /** The CLI's version, once it is known. */
  get version(): string | undefined {
    return this.#state.version.known;
  }

  /** Resolves when the CLI has been asked for its version, or is over. Undefined if there is nothing to ask. */
  learnVersion(): Promise<void> | undefined {
    return this.#state.version.learn();
  }

  /** Whether the CLI has ended or is ending. */
  get isEnding(): boolean {
    return this.#state.end.isEnding;
  }

  /** How the child ended, once it has. */
  get end(): TransportEnd | undefined {
    return this.#ending.transportEnd;
  }

  /** The CLI's answer to the handshake. */
  get initialized(): Promise<InitializeResponse> {
    return this.#parts.handshake.reply;
  }

  get changedCommands(): SlashCommand[] | undefined {
    return this.#parts.router.changedCommands;
  }

  /** Sends a control request to the CLI, after the handshake request and in order. */
  request(request: { subtype: string }, options?: RequestOptions): Promise<unknown> {
    const { request: send, tools } = this.#parts;
    const answer = send(request, options);
    return request.subtype === 'mcp_status' ? answer.then((status) => tools.correctStatus(status)) : answer;
  }

  /** Repeats the handshake with the current in-process servers. */
  reinitialize(options?: RequestOptions): Promise<InitializeResponse> {
    return repeatHandshake(this.#state.version, this.#parts, this.#starting.initialize, options);
  }

  /** Notes that the CLI has answered the handshake again, in its reply to another request. */
  noteInitialized(reply: InitializeResponse): void {
    this.#parts.handshake.replace(reply);
  }

  /** Replaces the servers that were set at run time, and all in-process ones. */
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult> {
    return this.#parts.tools.replace(servers, options);
  }

  /**
   * Resolves when servers and tools are available. Rejects with an error that names the missing ones. Meanwhile a
   * first prompt that is not written yet is held back, and the input stays open.
   */
  ready(options?: ReadyOptions): Promise<ToolReport> {
    return awaitReady(this.#state, this.#parts, options);
  }

  /** The checked output of the last result. If there is no result yet, the output of the first one to come. */
  awaitOutput(): Promise<unknown> {
    this.#parts.consumer.awaitsOutput();
    return this.#parts.output.value();
  }

  /** Gives a prompt to a CLI that was started without one. */
  begin(prompt: Prompt): void {
    const { feed } = this.#parts;
    const source = readPrompt(prompt);
    this.#state.prompt.announce(typeof prompt === 'string');
    void feed.open(source);
  }

  /** Feeds more user messages. The input stays open at least until they are answered. */
  streamInput(prompt: Prompt): Promise<void> {
    return this.#parts.feed.stream(prompt);
  }

  /** Makes the CLI send its answers in pieces, if it is not started yet. */
  streamText(): void {
    this.#state.partials.wantText();
  }

  /** The session as the inspector sees it. If the session is a conversation, this is one of its CLIs. */
  inspected(): InspectedSession {
    return inspectLive(this, this.#state, this.#parts);
  }

  /** What is open between the CLI and this process. */
  get exchange(): OpenExchange {
    return describeExchange(this.#parts);
  }

  /** Resolves when the session store has what the CLI has written so far: true if the store took all of it. */
  flushTranscript(): Promise<boolean> {
    return this.#parts.mirror.flush();
  }

  /** Ends the CLI as a crash would. The caller gets its open permission questions, and its handlers may run on. */
  release(): ReleasedQuestions {
    const released = takeQuestions(this.#parts);
    void this.close({ kind: 'released' });
    return released;
  }

  /**
   * Ends the CLI, whatever it is doing. Only the first cause counts, but a later one may shorten the time that the child has
   * left. Resolves when the child is gone.
   */
  close(cause: EndCause): Promise<void> {
    return this.#ending.close(cause);
  }
}
