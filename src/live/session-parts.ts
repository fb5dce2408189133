// The parts of a session, made and wired together: the one file that knows every room. What happens when, and
// that and how the session ends, is decided by the session itself.
import type { ErrorPhase } from '../errors.js';
import { Channel, type RequestOptions } from '../wire/channel/channel.js';
import { findUnapplied } from '../answer/hooks/hook-doubts.js';
import { createHookRegistry, type HookRegistry } from '../answer/hooks/hook-registry.js';
import type { Options } from '../options/options.js';
import { createElicitationAnswerer, createUserDialogAnswerer } from '../answer/permissions/answer-dialog.js';
import { PermissionQuestions } from '../answer/permissions/permission-questions.js';
import type { SlashCommand } from '../wire/protocol/control/control.js';
import type { SDKMessage, SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { Transport } from '../wire/transport/transport.js';
import { UsageLedger } from '../record/usage/usage-ledger.js';
import { AsyncQueue } from '../util/async-queue.js';
import { SpillQueue } from '../util/spill-queue.js';
import { CapabilityWatch } from './controls/capabilities.js';
import { checkMessage } from './input/check-message.js';
import { takesWithdrawal } from './controls/control-versions.js';
import type { EndCause } from './ending.js';
import { Handshake } from './handshake.js';
import { InputLifetime } from './input/input-lifetime.js';
import { MessageRouter } from './message-router.js';
import { MirrorGate } from './mirror-gate.js';
import { nameTools, type QueryOptions } from './tooling/name-tools.js';
import { OutputChecker } from './output/output-checker.js';
import { PromptPump } from './input/prompt-pump.js';
import { LiveTools } from './tooling/live-tools.js';
import { SilenceWatch } from './input/silence-watch.js';
import { WarningReporter } from '../options/warning-reporter.js';

/** What the parts need of their session. */
export interface SessionHost {
  readonly transport: Transport | undefined;
  /** Of the CLI, once it is known. */
  readonly version: string | undefined;
  readonly phase: ErrorPhase;
  /** Whether it is still to be given its prompt. */
  readonly isPromptDue: boolean;
  request(request: { subtype: string }, limits?: RequestOptions): Promise<unknown>;
  /** The CLI has begun to work. */
  noteRunning(): void;
  close(cause: EndCause): Promise<void>;
  /** Whether it is over, or on its way. */
  readonly isEnding: boolean;
}

/** One set per session. Making it throws for wrong options, and starts nothing. */
export class SessionParts {
  readonly options: Options;
  readonly messages: AsyncQueue<SDKMessage, [string]>;
  readonly warnings: WarningReporter;
  readonly mirror: MirrorGate;
  readonly output: OutputChecker;
  readonly usage: UsageLedger;
  readonly capabilities: CapabilityWatch;
  readonly road: MessageRouter;
  readonly hooks: HookRegistry;
  readonly tools: LiveTools;
  readonly permissions: PermissionQuestions;
  readonly channel: Channel;
  readonly pump: PromptPump;
  readonly lifetime: InputLifetime;
  readonly handshake: Handshake;
  /** Only where it was asked for: it looks at every message. */
  readonly #silence: SilenceWatch | undefined;
  readonly #host: SessionHost;
  #pipeHasRoom = true;
  /** The commands the handshake has told anew since. */
  #outdatedCommands: SlashCommand[] | undefined;

  constructor(given: QueryOptions, host: SessionHost) {
    this.#host = host;
    const named = nameTools(given);
    this.warnings = new WarningReporter(named);
    this.warnings.checkOptions();
    this.output = new OutputChecker(named.output);
    const options = this.output.apply(named);
    this.options = options;
    this.messages = new AsyncQueue(
      new SpillQueue<SDKMessage>({
        maxBytes: options.maxBufferedBytes,
        onWarning: (error) => this.warnings.report(error),
      }),
    );
    this.mirror = this.#createMirror();
    this.capabilities = new CapabilityWatch(() => host.version);
    this.hooks = createHookRegistry(options.hooks, {
      onFailure: (error) => this.warnings.report(error),
      agentIdOf: (toolUseId) => this.tools.agentIdOf(toolUseId),
    });
    this.tools = new LiveTools({
      options,
      warnings: this.warnings,
      sessionId: () => this.road.sessionId,
      request: (request, limits) => host.request(request, limits),
      onMissing: (error) => void host.close({ kind: 'failed', error }),
    });
    this.permissions = new PermissionQuestions({
      canUseTool: options.canUseTool,
      write: (requestId, response) => this.channel.answer(requestId, response),
    });
    this.channel = this.#createChannel();
    this.pump = this.#createPump();
    this.lifetime = new InputLifetime({
      openSources: () => this.pump.openSources + (host.isPromptDue ? 1 : 0),
      openRequests: () => this.channel.outboundInFlight,
      callbacksAtWork: () => this.channel.inboundAwaited,
      answersQuestions: hasAnswerers(options),
      expectsSuggestion: options.promptSuggestions === true,
      endInput: () => host.transport?.endInput(),
      onLingering: () => void host.close({ kind: 'lingered' }),
    });
    this.handshake = this.#createHandshake();
    if (options.idleTimeoutMs) {
      this.#silence = new SilenceWatch({
        idleTimeoutMs: options.idleTimeoutMs,
        isBusy: () => this.channel.inFlight > 0,
        onStall: (error) => void host.close({ kind: 'failed', error }),
      });
    }
    this.usage = new UsageLedger({
      onFault: (error) => this.warnings.fault('usage', error),
      ...options.usage,
    });
    this.road = this.#createRoad();
  }

  /** The slash commands of the CLI's last word on them, once they have changed. */
  get changedCommands(): SlashCommand[] | undefined {
    const changed = this.road.changedCommands;
    return changed === this.#outdatedCommands ? undefined : changed;
  }

  /** Everyone inside who still waits for something is told that nothing will come. */
  close(error: Error): void {
    this.handshake.end(error);
    this.lifetime.stop();
    this.#silence?.stop();
    this.pump.stop();
    this.channel.close(error);
    this.tools.close(error);
    this.permissions.close();
    this.output.close(error);
  }

  #createMirror(): MirrorGate {
    return new MirrorGate({
      store: this.options.sessionStore,
      flush: this.options.sessionStoreFlush,
      push: (message, line) => this.messages.push(message, line),
      onIgnored: (file) =>
        this.warnings.report(new Error(`The transcript ${file} belongs to no session that can be stored`)),
    });
  }

  #createChannel(): Channel {
    const { onElicitation, onUserDialog } = this.options;
    return new Channel({
      write: (line) => {
        this.#pipeHasRoom = this.#host.transport?.write(line) ?? true;
      },
      answerers: {
        can_use_tool: this.permissions.answer,
        hook_callback: this.hooks.answer,
        mcp_message: this.tools.answer,
        elicitation: createElicitationAnswerer(onElicitation),
        request_user_dialog: createUserDialogAnswerer(onUserDialog),
      },
      onMessage: (message, line) => {
        this.#host.noteRunning();
        this.road.receive(message, line);
      },
      onWarning: (error) => this.warnings.report(error),
      canWithdraw: () => takesWithdrawal(this.#host.version),
      onSettled: () => {
        this.handshake.noteAnswer();
        this.#silence?.settled();
        this.lifetime.settled();
      },
    });
  }

  #createPump(): PromptPump {
    return new PromptPump({
      verbatim: this.options.verbatimPrompts === true,
      sink: {
        send: (message) => this.#send(message),
        drained: () => this.#host.transport?.drained() ?? Promise.resolve(),
        onSent: (message) => {
          this.#silence?.wrote(message);
          this.lifetime.wrote(message);
        },
      },
    });
  }

  #createHandshake(): Handshake {
    const handshake = new Handshake({
      timeoutMs: this.options.handshakeTimeoutMs,
      mustHonourHooks: this.hooks.mustBeHonoured,
      isBusy: () => this.channel.inboundAwaited > 0,
      isAtWork: () => this.#host.phase !== 'handshake',
      onAnswered: (reply) => {
        this.capabilities.note(reply);
        this.#outdatedCommands = this.road.changedCommands;
        this.#silence?.ready();
        this.#host.noteRunning();
      },
      onFailed: (error) => {
        if (!this.#host.isEnding) void this.#host.close({ kind: 'failed', error });
      },
    });
    handshake.reply.then(
      (reply) => {
        const doubt = findUnapplied(this.hooks.declared, reply);
        if (doubt) this.warnings.emit(doubt);
      },
      () => {},
    );
    return handshake;
  }

  #createRoad(): MessageRouter {
    return new MessageRouter({
      options: this.options,
      warnings: this.warnings,
      observers: [
        ...(this.#silence ? [this.#silence] : []),
        this.lifetime,
        this.tools,
        this.capabilities,
        this.usage,
        this.output,
      ],
      pass: (message, line) => {
        if (!this.pump.claims(message)) this.mirror.pass(message, line);
      },
    });
  }

  #send(message: SDKUserMessage): boolean {
    checkMessage(message, this.#host.version);
    this.channel.send(message);
    return this.#pipeHasRoom;
  }
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
