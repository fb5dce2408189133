// The parts of a live CLI, made and connected: the one file that knows every room. Each part is made after those it
// uses. What happens when, and how the CLI ends, is decided in `live-cli`.
import { findUnappliedHooks } from '../answer/hooks/hook-warnings.js';
import { createHookRegistry, type HookRegistry } from '../answer/hooks/hook-registry.js';
import { DialogQuestions } from '../answer/permissions/dialog-questions.js';
import { PermissionQuestions } from '../answer/permissions/permission-questions.js';
import { HookError, type InboardError } from '../errors.js';
import { chooseProjectKey } from '../options/elsewhere.js';
import type { Options } from '../options/options.js';
import type { WarningReporter } from '../options/check/warning-reporter.js';
import { findVersionWarnings } from '../options/supported-versions.js';
import { UsageLedger } from '../record/usage/usage-ledger.js';
import { loadPart } from '../util/load-part.js';
import type { Answerer } from '../wire/protocol/answer.js';
import type { InitializeResponse } from '../wire/protocol/control/control.js';
import type { Piece } from '../wire/protocol/piece-run.js';
import type { CheckedOptions } from './live-checks.js';
import { createRequestSender } from './control-requests.js';
import { CapabilityWatch } from './controls/capabilities.js';
import { Handshake } from './handshake.js';
import { createInput } from './live-input.js';
import type { LiveState } from './live-state.js';
import { createWire, type Basis } from './live-wire.js';
import { MessageRouter, type MessageObserver } from './message-router.js';
import { MirrorGate, type MirrorGateOptions } from './mirror-gate.js';
import { TextFeed } from './output/text-feed.js';
import { isPartial } from './output/text-pieces.js';
import { PromptFeed } from './prompt-feed.js';
import type { CallLedger } from './tooling/call-ledger.js';
import { LiveTools } from './tooling/live-tools.js';
import type { LiveCliOptions } from './live-cli-options.js';
import { SlotWatch } from './slot-watch.js';

export type LiveParts = ReturnType<typeof composeParts>;

/** Makes one set for one live CLI, from options that were checked: there is a process by then, as a rule. */
export function composeParts(
  { options, warnings, output }: CheckedOptions,
  state: LiveState,
  calls: CallLedger,
  { slot, recorder }: Pick<LiveCliOptions, 'slot' | 'recorder'> = {},
) {
  const onWarning = (error: Error): void => warnings.report(error);
  // As a process warning once for each callback, whatever it fails with.
  const onFailure = (error: InboardError): void =>
    warnings.report(error, `${error.code} ${error instanceof HookError ? error.hook : ''}`);
  const wire = createWire(state, warnings);
  const { channel } = wire;
  const basis: Basis = { options, state, wire };
  const { messages, pushPiece, consumer, pump, lifetime, silence } = createInput(basis, onWarning);
  const mirror = createMirror({
    options,
    warnings,
    sendsCalls: recorder && (() => recorder() !== undefined),
    push: (message, line) => messages.push(message, line),
    pushPiece,
    onRefused: (error) => state.requestEnd({ kind: 'refused', error }),
  });
  const capabilities = new CapabilityWatch(
    () => state.version.known,
    (reported) => state.version.note(reported),
  );
  state.version.onLearned = (found) => {
    for (const warning of findVersionWarnings(found)) warnings.emit(warning);
  };
  const usage = new UsageLedger({
    onFault: (error, callback) => warnings.fault(`usage.${callback}`, error),
    ...options.usage,
  });

  const texts = new TextFeed({ maxBytes: options.maxBufferedBytes, onWarning });
  /** Whether partial messages come for the sake of text streams only. */
  const hidesPartials = (): boolean => state.streamsText && !state.readsPartials;

  const watch = slot && new SlotWatch(slot);
  const request = createRequestSender(state, channel, lifetime);
  const observers: MessageObserver[] = [];
  const router = new MessageRouter({
    options,
    warnings,
    observers,
    pass: (message, line) => {
      if (!(hidesPartials() && isPartial(message))) mirror.pass(message, line);
    },
  });
  const tools = new LiveTools({
    options,
    warnings,
    sessionId: () => router.sessionId,
    identify: (call) => calls.identify(call),
    hasMessage: () => state.isPromptAtHand || lifetime.hasWritten,
    request,
    wait: watch && ((requestId, answer) => watch.wait(requestId, answer)),
    onMissing: (error) => state.requestEnd({ kind: 'failed', error }),
    recorder,
    isGoneByItself: () => state.isOver && state.cause === undefined,
  });
  const hooks = createHookRegistry(options.hooks, {
    onFailure,
    hookFailure: options.hookFailure,
    agentIdOf: (toolUseId) => tools.agentIdOf(toolUseId),
  });
  const write = (requestId: string, response: unknown, notice?: Error): boolean => {
    const answer = (): boolean => channel.answer(requestId, response, notice);
    return watch ? watch.release(requestId, answer) : answer();
  };
  const permissions = new PermissionQuestions({
    canUseTool: options.canUseTool,
    sessionId: () => router.sessionId,
    identify: (call) => calls.identify(call),
    onUnavailable: (error, toolName) =>
      warnings.emit({
        code: 'PERMISSION_UNAVAILABLE',
        message: `The permission question about ${toolName} stays open because nobody can answer it at the moment; the error says why`,
        error,
      }),
    onFailure,
    findInputProblem: (toolName, input) => tools.findInputProblem(toolName, input),
    write,
  });
  const { onElicitation, onUserDialog } = options;
  const dialogs = new DialogQuestions({ onElicitation, onUserDialog, onFailure, write });
  const sweep = createSweep(onWarning);
  const handshake = createHandshake(basis, hooks.mustBeHonoured, (reply) => {
    // Nothing of it is timed any more.
    wire.onSettled.delete(handshake);
    capabilities.note(reply);
    sweep.begin();
    router.forgetCommands();
    silence?.ready();
    state.noteRunning();
  });
  warnOfUnappliedHooks(handshake, hooks, warnings);
  const feed = new PromptFeed({ state, pump, lifetime, handshake, mustHonourHooks: hooks.mustBeHonoured });

  const { answerers } = wire;
  const asWork = (answer: Answerer): Answerer => watch?.work(answer) ?? answer;
  const asQuestion = (answer: Answerer): Answerer => watch?.person(answer) ?? answer;
  answerers.can_use_tool = asQuestion(permissions.answer);
  answerers.hook_callback = asWork(hooks.answer);
  answerers.mcp_message = asWork(tools.answer);
  answerers.elicitation = asQuestion(dialogs.elicitation);
  answerers.request_user_dialog = asQuestion(dialogs.dialog);
  const clocks = silence ? [silence, lifetime] : [lifetime];
  // A result counts as not taken before the lifetime decides on it.
  observers.push(consumer, ...clocks, tools, calls, capabilities, usage, output, texts);
  wire.onMessage.push((message, line) => router.receive(message, line));
  wire.onSent.push((message) => calls.names.wrote(message));
  wire.onSettled.add(handshake);
  for (const clock of clocks) {
    wire.onSent.push((message) => clock.wrote(message));
    wire.onSettled.add(clock);
  }

  /** A message like the one before it tells observers only that the CLI is at work; readers of texts want it whole. */
  const takePiece = (piece: Piece): boolean => {
    if (channel.isClosed) return true;
    if (texts.readers > 0 || state.tap !== undefined) return false;
    for (const clock of clocks) clock.heard();
    if (!hidesPartials()) mirror.passPiece(piece);
    return true;
  };

  return {
    options,
    warnings,
    takePiece,
    messages,
    consumer,
    mirror,
    output,
    texts,
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
    dialogs,
    handshake,
    /** Fails everything that still waits: nothing more will come. */
    close(error: Error): void {
      handshake.end(error);
      sweep.end();
      for (const clock of clocks) clock.stop();
      pump.stop();
      channel.close(error);
      tools.close(error);
      permissions.close();
      dialogs.close();
      calls.cut();
      output.close(error);
    },
  };
}

interface MirrorInput extends Pick<MirrorGateOptions, 'sendsCalls' | 'push' | 'pushPiece' | 'onRefused'> {
  options: Options;
  warnings: WarningReporter;
}

function createMirror({ options, warnings, ...given }: MirrorInput): MirrorGate {
  return new MirrorGate({
    ...given,
    store: options.sessionStore,
    projectKey: chooseProjectKey(options),
    flush: options.sessionStoreFlush,
    onIgnored: (file) =>
      warnings.report(new Error(`The transcript ${file} does not belong to a session that can be stored`)),
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

/** By then the first answer is under way: at the handshake, sweeping took 4 of the 64 ms of processor time of a first query. */
const SWEEP_AFTER_MS = 1000;

/** Removes what killed processes left, once per process: a while after the first CLI stands, or when it ends. That it cannot is a warning. */
function createSweep(onWarning: (error: Error) => void): { begin(): void; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const sweep = (): void => {
    loadPart(() => import('../wire/process/sweep-folders.js')).then(
      ({ sweepFoldersOnce }) => void sweepFoldersOnce(),
      // The next CLI tries again.
      onWarning,
    );
  };
  return {
    begin() {
      // It alone must not keep the host alive.
      timer ??= setTimeout(sweep, SWEEP_AFTER_MS).unref();
    },
    end() {
      if (timer === undefined) return;
      clearTimeout(timer);
      sweep();
      timer = undefined;
    },
  };
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
