// One session, composed: the only file that knows every room. It wires transport, channel, answerers,
// prompt pump and message queue together, and it alone decides, once, that and how the session ends.
import { InvalidOptionsError, SessionClosedError, type ErrorPhase, type InboardError } from '../errors.js';
import { Channel, type RequestOptions } from '../channel/channel.js';
import { findUnapplied } from '../hooks/hook-doubts.js';
import { createHookRegistry, type HookRegistry } from '../hooks/hook-registry.js';
import type { Options } from '../options/options.js';
import { createElicitationAnswerer, createUserDialogAnswerer } from '../permissions/answer-dialog.js';
import { PermissionDesk, type PendingPermission } from '../permissions/permission-desk.js';
import type { WireObject } from '../protocol/codec.js';
import type { InitializeResponse, SlashCommand } from '../protocol/control.js';
import type { McpServerConfig, McpSetServersResult } from '../protocol/mcp-config.js';
import type { SDKMessage, SDKUserMessage } from '../protocol/messages.js';
import type { Transport, TransportEnd } from '../transport/transport.js';
import { AsyncQueue } from '../util/async-queue.js';
import { createDeferred, type Deferred } from '../util/deferred.js';
import { onAbort } from '../util/on-abort.js';
import { SpillQueue } from '../util/spill-queue.js';
import { checkMessage } from './check-message.js';
import { CapabilityWatch } from './capabilities.js';
import { checkControl, explainRefusal, takesWithdrawal } from './control-versions.js';
import { decideEnding, type EndCause } from './ending.js';
import { Handshake } from './handshake.js';
import { InputLifetime } from './input-lifetime.js';
import { launchCli, type Launch, type Launched } from './launch.js';
import { leaveSource, PromptPump } from './prompt-pump.js';
import { readPrompt, type Prompt } from './prompt-source.js';
import { repeatInitialize } from './repeat-initialize.js';
import { SessionTools } from './session-tools.js';
import { SilenceWatch } from './silence-watch.js';
import type { ReadyOptions } from './await-tools.js';
import { MessageRoad } from './message-road.js';
import { MirrorGate } from './mirror-gate.js';
import { nameTools, type QueryOptions } from './name-tools.js';
import { OutputDesk } from './output-desk.js';
import type { ToolReport } from './tool-check.js';
import { UsageLedger, type UsageReport } from '../usage/usage-ledger.js';
import { WarningDesk } from './warning-desk.js';

/** How long an aborted child may take to leave before SIGTERM; an abort is meant to be felt. */
const ABORT_GRACE_MS = 250;
/** How long a child that no longer reads may finish what it writes. */
const INPUT_BROKEN_GRACE_MS = 5000;

export interface LiveSessionOptions {
  /** Undefined for a session whose messages come through `streamInput` alone. */
  prompt: Prompt | undefined;
  options: QueryOptions;
  launch?: Launch;
}

/** A running session. Whoever makes one must let it end: by itself, or by `close`. */
export class LiveSession {
  readonly messages: AsyncQueue<SDKMessage, [string]>;
  readonly capabilities = new CapabilityWatch(() => this.#version);
  readonly #options: Options;
  readonly #warnings: WarningDesk;
  readonly #mirror: MirrorGate;
  readonly #output: OutputDesk;
  readonly #usage: UsageLedger;
  readonly #road: MessageRoad;
  readonly #hooks: HookRegistry;
  readonly #tools: SessionTools;
  readonly #permissions: PermissionDesk;
  readonly #channel: Channel;
  readonly #pump: PromptPump;
  readonly #lifetime: InputLifetime;
  readonly #handshake: Handshake;
  /** Only where it was asked for: it looks at every message. */
  readonly #silence: SilenceWatch | undefined;
  readonly #launched: Deferred<void> = createDeferred();
  readonly #over: Deferred<void> = createDeferred();
  #transport: Transport | undefined;
  #version: string | undefined;
  #initialize: Launched['initialize'] = {};
  /** The commands the handshake has told anew since. */
  #outdatedCommands: SlashCommand[] | undefined;
  #discardFiles: () => void = () => {};
  #forgetAbort: () => void = () => {};
  #phase: ErrorPhase = 'launch';
  #cause: EndCause | undefined;
  #pipeHasRoom = true;
  /** The prompt that is still to be opened counts as an open source; so does the one that is never given. */
  #isPromptDue = true;
  #isOver = false;

  constructor({ prompt, options: given, launch = launchCli }: LiveSessionOptions) {
    const named = nameTools(given);
    this.#warnings = new WarningDesk(named);
    this.#warnings.checkOptions();
    this.#output = new OutputDesk(named.output);
    const options = this.#output.apply(named);
    this.#options = options;
    const source = prompt === undefined ? undefined : readPrompt(prompt);
    // Nobody may be listening; a rejection is then no accident.
    this.#launched.promise.catch(() => {});
    this.messages = new AsyncQueue(
      new SpillQueue<SDKMessage>({
        maxBytes: options.maxBufferedBytes,
        onWarning: (error) => this.#warnings.report(error),
      }),
    );
    this.#mirror = new MirrorGate({
      store: options.sessionStore,
      flush: options.sessionStoreFlush,
      push: (message, line) => this.messages.push(message, line),
      onIgnored: (file) =>
        this.#warnings.report(new Error(`The transcript ${file} belongs to no session that can be stored`)),
    });
    this.#hooks = createHookRegistry(options.hooks, {
      onFailure: (error) => this.#warnings.report(error),
      agentIdOf: (toolUseId) => this.#tools.agentIdOf(toolUseId),
    });
    this.#tools = new SessionTools({
      options,
      warnings: this.#warnings,
      sessionId: () => this.#road.sessionId,
      request: (request, limits) => this.request(request, limits),
      onMissing: (error) => void this.close({ kind: 'failed', error }),
    });
    this.#permissions = new PermissionDesk({
      canUseTool: options.canUseTool,
      write: (requestId, response) => this.#channel.answer(requestId, response),
    });
    this.#channel = new Channel({
      write: (line) => {
        this.#pipeHasRoom = this.#transport?.write(line) ?? true;
      },
      answerers: {
        can_use_tool: this.#permissions.answer,
        hook_callback: this.#hooks.answer,
        mcp_message: this.#tools.answer,
        elicitation: createElicitationAnswerer(options.onElicitation),
        request_user_dialog: createUserDialogAnswerer(options.onUserDialog),
      },
      onMessage: (message, line) => this.#receiveMessage(message, line),
      onWarning: (error) => this.#warnings.report(error),
      canWithdraw: () => takesWithdrawal(this.#version),
      onSettled: () => {
        this.#handshake.noteAnswer();
        this.#silence?.settled();
        this.#lifetime.settled();
      },
    });
    this.#pump = new PromptPump({
      verbatim: options.verbatimPrompts === true,
      sink: {
        send: (message) => this.#send(message),
        drained: () => this.#transport?.drained() ?? Promise.resolve(),
        onSent: (message) => {
          this.#silence?.wrote(message);
          this.#lifetime.wrote(message);
        },
      },
    });
    this.#lifetime = new InputLifetime({
      openSources: () => this.#pump.openSources + (this.#isPromptDue ? 1 : 0),
      openRequests: () => this.#channel.outboundInFlight,
      callbacksAtWork: () => this.#channel.inboundAwaited,
      answersQuestions: hasAnswerers(options),
      expectsSuggestion: options.promptSuggestions === true,
      endInput: () => this.#transport?.endInput(),
      onLingering: () => void this.close({ kind: 'lingered' }),
    });
    this.#handshake = new Handshake({
      timeoutMs: options.handshakeTimeoutMs,
      mustHonourHooks: this.#hooks.mustBeHonoured,
      isBusy: () => this.#channel.inboundAwaited > 0,
      isAtWork: () => this.#phase !== 'handshake',
      onAnswered: (reply) => {
        this.capabilities.note(reply);
        this.#outdatedCommands = this.#road.changedCommands;
        this.#silence?.ready();
        if (this.#phase === 'handshake') this.#phase = 'running';
      },
      onFailed: (error) => {
        if (!this.#isOver && !this.#cause) void this.close({ kind: 'failed', error });
      },
    });
    this.#handshake.reply.then(
      (reply) => {
        const doubt = findUnapplied(this.#hooks.declared, reply);
        if (doubt) this.#warnings.emit(doubt);
      },
      () => {},
    );
    if (options.idleTimeoutMs) {
      this.#silence = new SilenceWatch({
        idleTimeoutMs: options.idleTimeoutMs,
        isBusy: () => this.#channel.inFlight > 0,
        onStall: (error) => void this.close({ kind: 'failed', error }),
      });
    }
    this.#usage = new UsageLedger({
      onFault: (error) => this.#warnings.fault('usage', error),
      ...options.usage,
    });
    this.#road = new MessageRoad({
      options,
      warnings: this.#warnings,
      observers: [
        ...(this.#silence ? [this.#silence] : []),
        this.#lifetime,
        this.#tools,
        this.capabilities,
        this.#usage,
        this.#output,
      ],
      pass: (message, line) => {
        if (!this.#pump.claims(message)) this.#mirror.pass(message, line);
      },
    });
    const signal = options.abortController?.signal;
    if (signal) {
      this.#forgetAbort = onAbort(signal, () => void this.close({ kind: 'aborted', reason: signal.reason }));
    }
    if (signal?.aborted) this.#cause = { kind: 'aborted', reason: signal.reason };
    this.#start(source, launch).catch((error: unknown) => this.#abandon(error));
  }

  /** The child's process id, once it has been started. */
  get pid(): number | undefined {
    return this.#transport?.pid;
  }

  /** The CLI's answer to the handshake. */
  get initialized(): Promise<InitializeResponse> {
    return this.#handshake.reply;
  }

  /** The slash commands of the CLI's last word on them, once they have changed. */
  get changedCommands(): SlashCommand[] | undefined {
    const changed = this.#road.changedCommands;
    return changed === this.#outdatedCommands ? undefined : changed;
  }

  /** The permission questions that wait for an answer. */
  get pendingPermissions(): PendingPermission[] {
    return this.#permissions.pending;
  }

  /** What the session used so far. */
  get usage(): UsageReport {
    return this.#usage.report();
  }

  /** The checked output of the last result, or of the first that will come. */
  get output(): Promise<unknown> {
    return this.#output.value();
  }

  /** Resolves when the session is over and nothing of it is left; never rejects. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Puts a control request to the CLI, after the handshake request and in order. */
  async request(request: { subtype: string }, options?: RequestOptions): Promise<unknown> {
    await this.#launched.promise;
    if (this.#lifetime.inputEnded)
      throw new SessionClosedError('The session’s input has ended; the CLI takes no more requests');
    checkControl(request.subtype, this.#version);
    return await this.#channel.request(request, options).catch((error: unknown) => {
      throw explainRefusal(error, this.#version);
    });
  }

  /** Repeats the handshake, with the servers as they are now. */
  async reinitialize(options?: RequestOptions): Promise<InitializeResponse> {
    const isTold = this.#options.sdkServerRegistration !== 'argv';
    return await this.#handshake.renew(async () => {
      const fields = repeatInitialize(this.#initialize, isTold ? await this.#tools.plan() : {});
      return await this.request({ subtype: 'initialize', ...fields }, options);
    });
  }

  /** The CLI has answered the handshake anew, in its answer to another request. */
  noteInitialized(reply: InitializeResponse): void {
    this.#handshake.replace(reply);
  }

  /** Replaces the servers that were set while the session runs, in-process ones included. */
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult> {
    return this.#tools.replace(servers, options);
  }

  /** Waits until servers and tools are there, or says which are not. */
  ready(options?: ReadyOptions): Promise<ToolReport> {
    return this.#tools.ready(this.#handshake.reply, options);
  }

  /** Gives a session that was started without a prompt its prompt. */
  begin(prompt: Prompt): void {
    void this.#open(readPrompt(prompt));
  }

  /** Feeds more user messages; the input stays open at least until they are answered. */
  async streamInput(prompt: Prompt): Promise<void> {
    const source = readPrompt(prompt);
    try {
      await this.#launched.promise;
      if (this.#lifetime.inputEnded)
        throw new SessionClosedError(
          'The session’s input has ended; start a new query, or resume this session',
        );
    } catch (error) {
      leaveSource(source);
      throw error;
    }
    await this.#feed(source);
  }

  /** Ends the session, whatever it is doing; memoised. Resolves when the child is gone. */
  close(cause: EndCause): Promise<void> {
    if (this.#isOver) return this.#over.promise;
    const first = this.#cause === undefined;
    this.#cause ??= cause;
    if (!this.#transport) {
      // Nothing is started yet, and nothing will be.
      this.#finish(undefined);
      return this.#over.promise;
    }
    if (first) {
      if (this.#phase === 'running') this.#stopTurn();
      this.#tellEnd(errorOfCause(cause));
    }
    this.#terminate(cause);
    return this.#over.promise;
  }

  async #start(source: AsyncIterator<SDKUserMessage> | undefined, launch: Launch): Promise<void> {
    let launched: Launched | undefined;
    try {
      if (this.#cause === undefined) {
        launched = await launch({
          options: this.#options,
          hooks: this.#hooks.declared,
          servers: this.#tools.plan(),
          onWarning: (error) => this.#warnings.report(error),
        });
      }
    } catch (error) {
      this.#cause ??= { kind: 'failed', error };
    }
    if (this.#isOver || !launched) {
      if (launched) this.#discard(launched.discard);
      if (source) leaveSource(source);
      this.#finish(undefined);
      return;
    }
    this.#adopt(launched);
    this.#phase = 'handshake';
    const { initialize } = launched;
    this.#handshake.send((signal) =>
      this.#channel.request({ subtype: 'initialize', ...initialize }, { signal }),
    );
    this.#launched.resolve();
    if (source) await this.#open(source);
  }

  /** The prompt goes in behind the handshake; where hooks must be honoured, only once the CLI has promised that. */
  async #open(source: AsyncIterator<SDKUserMessage>): Promise<void> {
    if (this.#hooks.mustBeHonoured) await this.#handshake.reply.catch(() => {});
    this.#isPromptDue = false;
    await this.#feed(source).catch(() => {});
  }

  #adopt(launched: Launched): void {
    this.#transport = launched.transport;
    this.#version = launched.version;
    this.#initialize = launched.initialize;
    this.#discardFiles = launched.discard;
    for (const warning of launched.warnings) this.#warnings.emit(warning);
    launched.transport.open({
      line: (text) => this.#channel.receiveLine(text),
      fault: (error) => this.#receiveFault(error),
      closed: (end) => this.#finish(end),
    });
  }

  async #feed(source: AsyncIterator<SDKUserMessage>): Promise<void> {
    if (this.#cause || this.#isOver) {
      leaveSource(source);
      throw new SessionClosedError();
    }
    let isComplete: boolean;
    try {
      isComplete = await this.#pump.run(source);
    } catch (thrown) {
      // A bare `throw undefined` would else look like a clean end.
      const error = thrown ?? new InvalidOptionsError(['prompt'], `The prompt threw ${String(thrown)}`);
      void this.close({ kind: 'failed', error });
      throw error;
    }
    if (!isComplete) throw new SessionClosedError('The session ended before all messages were written');
    this.#lifetime.reconsider();
  }

  #send(message: SDKUserMessage): boolean {
    checkMessage(message, this.#version);
    this.#channel.send(message);
    return this.#pipeHasRoom;
  }

  #receiveMessage(message: WireObject, line: string): void {
    if (this.#phase === 'handshake') this.#phase = 'running';
    this.#road.receive(message, line);
  }

  #receiveFault(error: InboardError): void {
    this.#warnings.report(error);
    // A CLI that no longer reads can be told nothing more: it may finish what it is writing, then it goes.
    if (error.code === 'INPUT_BROKEN') {
      const times = { graceMs: INPUT_BROKEN_GRACE_MS, killMs: this.#options.killGraceMs };
      this.#transport?.terminate(times).catch(() => {});
    }
  }

  /**
   * The end of input alone does not end a turn: a CLI in the middle of a tool call asks the model once more,
   * and one that waits for the model stays until it is killed, without having written the turn down.
   */
  #stopTurn(): void {
    if (this.#lifetime.inputEnded) return;
    this.#channel.request({ subtype: 'interrupt' }).catch(() => {});
  }

  #terminate(cause: EndCause): void {
    const graceMs =
      cause.kind === 'aborted' ? ABORT_GRACE_MS : cause.kind === 'lingered' ? 0 : this.#options.closeGraceMs;
    this.#transport?.terminate({ graceMs, killMs: this.#options.killGraceMs }).catch(() => {});
  }

  /** Everyone inside who still waits for something is told that nothing will come. */
  #tellEnd(error: Error): void {
    this.#handshake.end(error);
    this.#lifetime.stop();
    this.#silence?.stop();
    this.#pump.stop();
    this.#channel.close(error);
    this.#tools.close(error);
    this.#permissions.close();
    this.#output.close(error);
    this.#launched.reject(error);
  }

  #discard(discardFiles: () => void): void {
    try {
      discardFiles();
    } catch (cause) {
      // A file that cannot be removed must not keep the session from ending.
      this.#warnings.report(new Error('The private files of the session could not be removed', { cause }));
    }
  }

  /** Something here broke that nobody foresaw; a consumer must not wait for ever because of it. */
  #abandon(error: unknown): void {
    this.#cause ??= { kind: 'failed', error };
    this.#transport?.terminate({ graceMs: 0 }).catch(() => {});
    this.#finish(undefined);
  }

  /** The one place where a session is over: called by the transport when the child is gone, or when none was started. */
  #finish(end: TransportEnd | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#forgetAbort();
    const error = decideEnding({
      cause: this.#cause,
      end,
      phase: this.#phase,
      lastResult: this.#lifetime.lastResult,
      unanswered: this.#lifetime.unanswered,
    });
    this.#tellEnd(error instanceof Error ? error : new SessionClosedError());
    this.#discard(this.#discardFiles);
    this.#mirror.finish(() => {
      if (error === undefined) this.messages.end();
      else this.messages.fail(error);
      this.#warnings.tellEnd(error);
      this.#over.resolve();
    });
  }
}

function errorOfCause(cause: EndCause): Error {
  if (cause.kind === 'failed' && cause.error instanceof Error) return cause.error;
  return new SessionClosedError(undefined, cause.kind === 'aborted' ? { cause: cause.reason } : {});
}

/** Whether the CLI may have a question for this process. */
function hasAnswerers(options: Options): boolean {
  const { canUseTool, hooks, onElicitation, onUserDialog, mcpServers } = options;
  return (
    canUseTool !== undefined ||
    onElicitation !== undefined ||
    onUserDialog !== undefined ||
    Object.keys(hooks ?? {}).length > 0 ||
    Object.values(mcpServers ?? {}).some((server) => server.type === 'sdk')
  );
}
