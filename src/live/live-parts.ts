// The parts of a live CLI, made and connected: the one file that knows every room. Each part is made after those it
// uses. What happens when, and how the CLI ends, is decided in `live-cli`.
import { findUnappliedHooks } from '../answer/hooks/hook-warnings.js';
import { createHookRegistry, type HookRegistry } from '../answer/hooks/hook-registry.js';
import { createElicitationAnswerer, createUserDialogAnswerer } from '../answer/permissions/answer-dialog.js';
import { PermissionQuestions } from '../answer/permissions/permission-questions.js';
import type { Options } from '../options/options.js';
import { WarningReporter } from '../options/check/warning-reporter.js';
import { UsageLedger } from '../record/usage/usage-ledger.js';
import { AsyncQueue } from '../util/queues/async-queue.js';
import { SpillQueue } from '../util/queues/spill-queue.js';
import { Channel } from '../wire/channel/channel.js';
import type { Answerer } from '../wire/protocol/answer.js';
import type { WireObject } from '../wire/protocol/codec.js';
import type { InitializeResponse } from '../wire/protocol/control/control.js';
import type { SDKMessage, SDKUserMessage } from '../wire/protocol/messages/messages.js';
import { createRequestSender } from './control-requests.js';
import { CapabilityWatch } from './controls/capabilities.js';
import { takesWithdrawal } from './controls/control-versions.js';
import { Handshake } from './handshake.js';
import { InputLifetime } from './input/input-lifetime.js';
import { PromptPump } from './input/prompt-pump.js';
import { SilenceWatch } from './input/silence-watch.js';
import { checkMessage } from './input/user-message.js';
import type { LiveState } from './live-state.js';
import { MessageRouter, type MessageObserver } from './message-router.js';
import { MirrorGate } from './mirror-gate.js';
import { OutputChecker } from './output/output-checker.js';
import { PromptFeed } from './prompt-feed.js';
import { LiveTools } from './tooling/live-tools.js';
import { nameTools, type QueryOptions } from './tooling/name-tools.js';

export type LiveParts = ReturnType<typeof composeParts>;

/** Makes one set for one live CLI. Throws for wrong options, and starts nothing. */
export function composeParts(given: QueryOptions, state: LiveState) {
  const named = nameTools(given);
  const warnings = new WarningReporter(named);
  warnings.checkOptions();
  const output = new OutputChecker(named.output);
  const options = output.apply(named);
  const onWarning = (error: Error): void => warnings.report(error);
  const messages = new AsyncQueue<SDKMessage, [string]>(
    new SpillQueue({ maxBytes: options.maxBufferedBytes, onWarning }),
  );
  const mirror = createMirror(options, messages, warnings);
  const capabilities = new CapabilityWatch(() => state.version);
  const usage = new UsageLedger({ onFault: (error) => warnings.fault('usage', error), ...options.usage });

  const wire = createWire(state, warnings);
  const { channel } = wire;
  const basis: Basis = { options, state, wire };
  const pump = createPump(basis);
  const lifetime = createLifetime(basis, pump);
  const silence = createSilenceWatch(basis);
  const request = createRequestSender(state, channel, lifetime);
  const observers: MessageObserver[] = [];
  const router = new MessageRouter({
    options,
    warnings,
    observers,
    pass: (message, line) => {
      if (!pump.claims(message)) mirror.pass(message, line);
    },
  });
  const tools = new LiveTools({
    options,
    warnings,
    sessionId: () => router.sessionId,
    request,
    onMissing: (error) => state.requestEnd({ kind: 'failed', error }),
  });
  const hooks = createHookRegistry(options.hooks, {
    onFailure: onWarning,
    agentIdOf: (toolUseId) => tools.agentIdOf(toolUseId),
  });
  const permissions = new PermissionQuestions({
    canUseTool: options.canUseTool,
    write: (requestId, response) => channel.answer(requestId, response),
  });
  const handshake = createHandshake(basis, hooks.mustBeHonoured, (reply) => {
    capabilities.note(reply);
    router.forgetCommands();
    silence?.ready();
    state.noteRunning();
  });
  warnOfUnappliedHooks(handshake, hooks, warnings);
  const feed = new PromptFeed({ state, pump, lifetime, handshake, mustHonourHooks: hooks.mustBeHonoured });

  const { answerers } = wire;
  answerers.can_use_tool = permissions.answer;
  answerers.hook_callback = hooks.answer;
  answerers.mcp_message = tools.answer;
  answerers.elicitation = createElicitationAnswerer(options.onElicitation);
  answerers.request_user_dialog = createUserDialogAnswerer(options.onUserDialog);
  const clocks = silence ? [silence, lifetime] : [lifetime];
  observers.push(...clocks, tools, capabilities, usage, output);
  wire.onMessage.push((message, line) => router.receive(message, line));
  wire.onSettled.push(() => handshake.noteAnswer());
  for (const clock of clocks) {
    wire.onSent.push((message) => clock.wrote(message));
    wire.onSettled.push(() => clock.settled());
  }

  return {
    options,
    warnings,
    messages,
    mirror,
    output,
    usage,
    capabilities,
    channel,
    feed,
    lifetime,
    request,
    router,
    tools,
    hooks,
    permissions,
    handshake,
    /** Fails everything that still waits: nothing more will come. */
    close(error: Error): void {
      handshake.end(error);
      for (const clock of clocks) clock.stop();
      pump.stop();
      channel.close(error);
      tools.close(error);
      permissions.close();
      output.close(error);
    },
  };
}

function createMirror(
  options: Options,
  messages: AsyncQueue<SDKMessage, [string]>,
  warnings: WarningReporter,
): MirrorGate {
  return new MirrorGate({
    store: options.sessionStore,
    flush: options.sessionStoreFlush,
    push: (message, line) => messages.push(message, line),
    onIgnored: (file) =>
      warnings.report(new Error(`The transcript ${file} belongs to no session that can be stored`)),
  });
}

/** The channel and its listeners need each other: it is made with empty lists, which are filled when all parts exist. */
interface Wire {
  readonly channel: Channel;
  /** By control subtype. */
  readonly answerers: Record<string, Answerer | undefined>;
  readonly onMessage: ((message: WireObject, line: string) => void)[];
  /** A user message is about to be written. */
  readonly onSent: ((message: SDKUserMessage) => void)[];
  /** A control request was settled, in either direction. */
  readonly onSettled: (() => void)[];
}

function createWire(state: LiveState, warnings: WarningReporter): Wire {
  const answerers: Wire['answerers'] = {};
  const onMessage: Wire['onMessage'] = [];
  const onSettled: Wire['onSettled'] = [];
  const channel = new Channel({
    write: (line) => state.write(line),
    answerers,
    onMessage: (message, line) => {
      state.noteRunning();
      for (const listener of onMessage) listener(message, line);
    },
    onWarning: (error) => warnings.report(error),
    canWithdraw: () => takesWithdrawal(state.version),
    onSettled: () => {
      for (const listener of onSettled) listener();
    },
  });
  return { channel, answerers, onMessage, onSent: [], onSettled };
}

/** What most parts need. */
interface Basis {
  options: Options;
  state: LiveState;
  wire: Wire;
}

function createPump({ options, state, wire: { channel, onSent } }: Basis): PromptPump {
  return new PromptPump({
    verbatim: options.verbatimPrompts === true,
    sink: {
      send: (message) => {
        checkMessage(message, state.version);
        channel.send(message);
        return state.pipeHasRoom;
      },
      drained: () => state.transport?.drained() ?? Promise.resolve(),
      onSent: (message) => {
        for (const listener of onSent) listener(message);
      },
    },
  });
}

function createLifetime({ options, state, wire: { channel } }: Basis, pump: PromptPump): InputLifetime {
  return new InputLifetime({
    openSources: () => pump.openSources + (state.isPromptDue ? 1 : 0),
    openRequests: () => channel.outboundInFlight,
    callbacksAtWork: () => channel.inboundAwaited,
    answersQuestions: hasAnswerers(options),
    expectsSuggestion: options.promptSuggestions === true,
    endInput: () => state.transport?.endInput(),
    onLingering: () => state.requestEnd({ kind: 'lingered' }),
  });
}

/** Only where it was asked for: it looks at every message. */
function createSilenceWatch({ options, state, wire }: Basis): SilenceWatch | undefined {
  const { idleTimeoutMs } = options;
  if (!idleTimeoutMs) return undefined;
  return new SilenceWatch({
    idleTimeoutMs,
    isBusy: () => wire.channel.inFlight > 0,
    onStall: (error) => state.requestEnd({ kind: 'failed', error }),
  });
}

function createHandshake(
  { options, state, wire }: Basis,
  mustHonourHooks: boolean,
  onAnswered: (reply: InitializeResponse) => void,
): Handshake {
  return new Handshake({
    timeoutMs: options.handshakeTimeoutMs,
    mustHonourHooks,
    isBusy: () => wire.channel.inboundAwaited > 0,
    isAtWork: () => state.phase !== 'handshake',
    onAnswered,
    onFailed: (error) => {
      if (!state.isEnding) state.requestEnd({ kind: 'failed', error });
    },
  });
}

function warnOfUnappliedHooks(handshake: Handshake, hooks: HookRegistry, warnings: WarningReporter): void {
  handshake.reply.then(
    (reply) => {
      const warning = findUnappliedHooks(hooks.declared, reply);
      if (warning) warnings.emit(warning);
    },
    () => {},
  );
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
