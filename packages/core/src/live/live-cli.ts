// The life of one CLI process: it is launched, given its handshake and its input, and ended. Here alone it is decided,
// once, that it ends and how. What it is made of is in `live-parts`.
import { MessageIgnoredError, SessionClosedError, WireError, type InboardError } from '../errors.js';
import { createDeferred, type Deferred } from '../util/deferred.js';
import { onAbort } from '../util/on-abort.js';
import type { RequestOptions } from '../wire/channel/channel.js';
import type { McpServerConfig } from '../wire/protocol/config/mcp-config.js';
import type { McpSetServersResult } from '../wire/protocol/config/mcp-status.js';
import type { InitializeResponse, SlashCommand } from '../wire/protocol/control/control.js';
import type { SDKMessage, SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { PieceReceiver, TransportEnd } from '../wire/transport/transport.js';
import type { ControlTarget } from './controls/control-target.js';
import { decideEnding, errorForWaiters, isAskedFor, isAtOnce, type EndCause } from './ending.js';
import { inspectIfAsked } from './watch/inspect-if-asked.js';
import type { InspectedSession } from './watch/inspected-session.js';
import { graceOf, graceWithoutInput } from './end-grace.js';
import { describeCli, inspectLive } from './inspect-live.js';
import { asksForPartials } from './output/text-pieces.js';
import { leaveSource } from './input/prompt-pump.js';
import { readPrompt, type Prompt } from './input/prompt-source.js';
import type { Launch, Launched } from './launch.js';
import { readHost } from './launch-host.js';
import { keepTranscript } from './keep-transcript.js';
import { launchLate, loadLauncherEarly } from './launch-late.js';
import { awaitReady, completeHandshake, repeatHandshake } from './live-ready.js';
import type { LiveCliOptions } from './live-cli-options.js';
import { LateParts } from './late-parts.js';
import { checkForLive, type CheckedOptions } from './live-checks.js';
import { composeParts, type LiveParts } from './live-parts.js';
import { LiveState } from './live-state.js';
import type { ReadyOptions } from './tooling/await-tools.js';
import { createCallLedger } from './tooling/call-ledger.js';
import type { ToolReport } from './tooling/tool-report.js';

/** A running CLI. Whoever makes one must let it end: on its own, or by `close`. */
export class LiveCli implements ControlTarget {
  readonly #state = new LiveState();
  readonly #checked: CheckedOptions;
  readonly #late: LateParts;
  readonly #over: Deferred<void> = createDeferred();
  /** Resolves when the CLI is gone and nothing of it is left; never rejects. */
  readonly over = this.#over.promise;
  #initialize: Launched['initialize'] = {};
  #discardFiles: () => void = () => {};
  #config: Launched['config'];
  #end: TransportEnd | undefined;
  #forgetAbort: () => void = () => {};
  readonly #completed: LiveCliOptions['completed'];
  /** Stops a launch that is under way when all is over. */
  readonly #unwanted = new AbortController();

  constructor({
    prompt,
    options,
    launch = launchLate,
    calls,
    slot,
    recorder,
    completed,
    readsPartials = false,
    onIgnored = (uuid) => this.#checked.warnings.report(new MessageIgnoredError(uuid)),
  }: LiveCliOptions) {
    if (launch === launchLate) loadLauncherEarly();
    this.#state.wantsText = options.streamText === true;
    this.#state.readsPartials = readsPartials;
    this.#checked = checkForLive(options);
    this.#late = new LateParts(
      () => composeParts(this.#checked, this.#state, calls ?? createCallLedger(options), { slot, recorder }),
      this.#checked.warnings,
      (error) => this.#breakOff(error),
    );
    this.#state.onIgnored = onIgnored;
    this.#completed = completed;
    this.#state.onEndRequest((cause) => void this.close(cause));
    const source = prompt === undefined ? undefined : readPrompt(prompt);
    this.#state.hasPrompt = source !== undefined;
    this.#state.isPromptAtHand = typeof prompt === 'string';
    const signal = options.abortController?.signal;
    if (signal) {
      this.#forgetAbort = onAbort(signal, () => void this.close({ kind: 'aborted', reason: signal.reason }));
    }
    if (signal?.aborted) this.#state.cause = { kind: 'aborted', reason: signal.reason };
    this.#start(source, launch).catch((error: unknown) => this.#abandon(error));
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

  /** The next of the messages. */
  next(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#late.next();
  }

  /** The child's process id, once it has been started. */
  get pid(): number | undefined {
    return this.#state.transport?.pid;
  }

  /** The CLI's version, once it is known. */
  get version(): string | undefined {
    return this.#state.version.known;
  }

  /** A promise where the version is not known yet and can be found out: until it is. */
  learnVersion(): Promise<void> | undefined {
    return this.#state.version.learn();
  }

  /** Whether it is over, or on its way there. */
  get isEnding(): boolean {
    return this.#state.isEnding;
  }

  /** How the child ended, once it has. */
  get end(): TransportEnd | undefined {
    return this.#end;
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
    return this.#parts.request(request, options);
  }

  /** Repeats the handshake with the in-process servers there are now. */
  reinitialize(options?: RequestOptions): Promise<InitializeResponse> {
    return repeatHandshake(this.#state, this.#parts, this.#initialize, options);
  }

  /** The CLI has answered the handshake again, in its reply to another request. */
  noteInitialized(reply: InitializeResponse): void {
    this.#parts.handshake.replace(reply);
  }

  /** Replaces the servers that were set at run time, in-process ones included. */
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult> {
    return this.#parts.tools.replace(servers, options);
  }

  /** Resolves when servers and tools are there; rejects with those that are not. Holds back a first prompt that is not written yet, and keeps the input open. */
  ready(options?: ReadyOptions): Promise<ToolReport> {
    return awaitReady(this.#state, this.#parts, options);
  }

  /** The checked output of the last result, or of the first to come. */
  awaitOutput(): Promise<unknown> {
    this.#parts.consumer.awaitsOutput();
    return this.#parts.output.value();
  }

  /** Gives a CLI that was started without a prompt its prompt. */
  begin(prompt: Prompt): void {
    this.#state.isPromptAtHand = typeof prompt === 'string';
    void this.#parts.feed.open(readPrompt(prompt));
  }

  /** Feeds more user messages; the input stays open at least until they are answered. */
  streamInput(prompt: Prompt): Promise<void> {
    return this.#parts.feed.stream(prompt);
  }

  /** Has the CLI send its answers in pieces, if it is not started yet. */
  streamText(): void {
    this.#state.wantsText = true;
  }

  /** The session as the inspector sees it; where it is a conversation, as one of its CLIs. */
  inspected(): InspectedSession {
    return inspectLive(this, this.#state, this.#parts);
  }

  /** Ends it, whatever it is doing; the first cause counts. Resolves when the child is gone. */
  close(cause: EndCause): Promise<void> {
    if (this.#state.isOver) return this.over;
    const first = this.#state.cause === undefined;
    this.#state.cause ??= cause;
    if (!this.#state.transport) {
      // Nothing is started yet, and nothing will be.
      this.#finish(undefined);
      return this.over;
    }
    if (first) {
      if (this.#state.phase === 'running' && !isAtOnce(cause)) this.#stopTurn();
      this.#closeParts(errorForWaiters(cause));
    }
    this.#terminate(cause);
    return this.over;
  }

  async #start(source: AsyncIterator<SDKUserMessage> | undefined, launch: Launch): Promise<void> {
    let launched: Launched | undefined;
    try {
      const host = readHost();
      const inspecting = inspectIfAsked(host.env);
      if (inspecting) await inspecting;
      if (this.#state.cause === undefined) {
        const { options, warnings, tellsVersion } = this.#checked;
        launched = await launch({
          options,
          host,
          tellsServersVersion: tellsVersion,
          onWarning: (error) => warnings.report(error),
          onFault: (callback, cause) => warnings.fault(callback, cause),
          streamsText: () => this.#decideStreaming(),
          completed: this.#completed,
          signal: this.#unwanted.signal,
        });
      }
    } catch (error) {
      this.#state.cause ??= { kind: 'failed', error };
    }
    if (this.#state.isOver || !launched) {
      if (launched) {
        // It was never opened, but may hold something all the same.
        launched.transport.terminate({ graceMs: 0 }).catch(() => {});
        this.#discard(launched.discard);
        void launched.config?.remove();
      }
      if (source) leaveSource(source);
      this.#finish(undefined);
      return;
    }
    this.#adopt(launched);
    this.#state.phase = 'handshake';
    try {
      const completed = completeHandshake(this.#parts, launched);
      this.#initialize = completed instanceof Promise ? await completed : completed;
    } catch (error) {
      void this.close({ kind: 'failed', error });
    }
    if (this.#state.isEnding) {
      if (source) leaveSource(source);
      return;
    }
    const initialize = this.#initialize;
    this.#parts.handshake.send((signal) =>
      this.#parts.channel.request({ subtype: 'initialize', ...initialize }, { signal }),
    );
    this.#state.noteLaunched();
    if (source) await this.#parts.feed.open(source);
  }

  /** Whether the CLI, which is started now, needs partial messages for text streams only. */
  #decideStreaming(): boolean {
    return (this.#state.streamsText = this.#state.wantsText && !asksForPartials(this.#checked.options));
  }

  #adopt(launched: Launched): void {
    this.#state.transport = launched.transport;
    this.#state.version.begin(launched.version, launched.openVersion);
    this.#discardFiles = launched.discard;
    this.#config = launched.config;
    for (const warning of launched.warnings) this.#checked.warnings.emit(warning);
    const receiver: PieceReceiver = {
      line: (text) => {
        if (this.#state.tap !== undefined) this.#state.tap.line('in', text);
        this.#parts.channel.receiveLine(text);
      },
      piece: (piece) => this.#parts.takePiece(piece),
      fault: (error) => this.#receiveFault(error),
      closed: (end) => this.#receiveEnd(end),
    };
    launched.transport.open(receiver);
    this.#state.tap?.begin({ ...describeCli(this.#state, this.#parts.options), isLate: false });
  }

  /** An answer to the handshake that came in the same tick as the end is still on its way. */
  #receiveEnd(end: TransportEnd): void {
    this.#state.tap?.end(end);
    if (this.#state.phase === 'handshake') queueMicrotask(() => this.#finish(end));
    else this.#finish(end);
  }

  #receiveFault(error: InboardError): void {
    this.#parts.warnings.observe(error);
    // Nothing more reaches a CLI that no longer reads: it may finish what it is writing, then it goes.
    if (error.code === 'INPUT_BROKEN') {
      this.#state.terminate(graceWithoutInput(this.#parts.options));
    }
  }

  /**
   * The end of input alone does not end a turn: a CLI in the middle of a tool call asks the model once more,
   * and one that waits for the model stays until it is killed, without having written the turn down.
   */
  #stopTurn(): void {
    if (this.#parts.lifetime.inputEnded || !this.#parts.lifetime.isAtWork) return;
    this.#parts.channel.request({ subtype: 'interrupt' }).catch(() => {});
  }

  #terminate(cause: EndCause): void {
    this.#state.terminate(graceOf(cause, this.#parts.options));
  }

  #closeParts(error: Error): void {
    this.#parts.close(error);
    this.#state.launched.reject(error);
    this.#state.version.end();
  }

  #discard(discardFiles: () => void): void {
    try {
      discardFiles();
    } catch (cause) {
      // A file that cannot be removed must not keep the CLI from being over.
      this.#checked.warnings.report(
        new Error('The private files of the session could not be removed', { cause }),
      );
    }
  }

  /** Something unforeseen broke here; a consumer must not wait for ever because of it. */
  #abandon(error: unknown): void {
    this.#state.cause ??= { kind: 'failed', error };
    this.#state.terminate({ graceMs: 0 });
    this.#finish(undefined);
  }

  /** The parts could not be made, though everything was checked: there is nobody to tell but those who wait. */
  #breakOff(error: unknown): void {
    this.#state.cause ??= { kind: 'failed', error };
    this.#state.isOver = true;
    this.#forgetAbort();
    this.#unwanted.abort();
    this.#state.terminate({ graceMs: 0 });
    this.#state.launched.reject(error);
    this.#state.version.end();
    this.#discard(this.#discardFiles);
    void this.#config?.remove();
    this.#checked.warnings.reportEnd(error);
    this.#over.resolve();
  }

  /** The one place where it becomes over: called by the transport when the child is gone, or when none was started. */
  #finish(end: TransportEnd | undefined): void {
    if (this.#state.isOver) return;
    this.#state.isOver = true;
    this.#end = end;
    this.#forgetAbort();
    this.#unwanted.abort();
    const { cause } = this.#state;
    const decided = decideEnding({
      cause,
      end,
      phase: this.#state.phase,
      lastResult: this.#parts.lifetime.lastResult,
      unanswered: this.#parts.lifetime.unanswered,
      ignored: this.#state.ignored,
    });
    this.#closeParts(decided instanceof Error ? decided : new SessionClosedError());
    // What was asked for happened, but something may be left of the CLI.
    if (end?.error && cause && decided !== end.error && !(end.error instanceof WireError))
      this.#parts.warnings.report(end.error);
    this.#discard(this.#discardFiles);
    this.#parts.mirror.finish((refusal) => {
      const leaving = this.#leaveConfig();
      const end = (): void => this.#endStreams(decided, refusal);
      if (leaving) void leaving.then(end);
      else end();
    });
  }

  /** Only what the store has may be deleted. What it has refused for good belongs to whoever it listens to instead. */
  #leaveConfig(): Promise<void> | undefined {
    if (!this.#config) return undefined;
    const { mirror, warnings } = this.#parts;
    if (mirror.hasLost) return keepTranscript(this.#config, (warning) => warnings.emit(warning));
    void this.#config.remove();
    return undefined;
  }

  #endStreams(decided: unknown, refusal: Error | undefined): void {
    const { cause } = this.#state;
    // The result was not delivered, so this is no clean end; whoever asked for one gets what was asked for.
    const error = refusal && !isAskedFor(cause) ? refusal : decided;
    for (const stream of [this.messages, this.texts]) {
      if (error === undefined) stream.end();
      else stream.fail(error);
    }
    this.#parts.warnings.reportEnd(error);
    this.#state.tap?.over(error);
    this.#over.resolve();
  }
}
