// Makes and connects the parts of a live CLI. Only this file knows all of them. Each part is made after those it uses, and the
// compiler checks that. `part-order` says in which order the parts are told of an event. `live-start` and `live-end` start and
// end the CLI.
import { findUnappliedHooks } from '../answer/hooks/hook-warnings.js';
import type { HookRegistry } from '../answer/hooks/hook-registry.js';
import { chooseProjectKey } from '../options/elsewhere.js';
import type { Options } from '../options/options.js';
import type { WarningReporter } from '../options/check/warning-reporter.js';
import { UsageLedger } from '../record/usage/usage-ledger.js';
import type { InitializeResponse } from '../wire/protocol/control/control.js';
import type { UndecodedPiece } from '../wire/protocol/piece-run.js';
import type { CheckedOptions } from './live-checks.js';
import { createRequestSender } from './control-requests.js';
import { CapabilityWatch } from './controls/capabilities.js';
import { createFolderSweep } from './folder-sweep.js';
import { Handshake } from './handshake.js';
import { createAnswerers } from './live-answerers.js';
import { createInput } from './live-input.js';
import type { LiveCliOptions } from './live-cli-options.js';
import type { LiveState } from './live-state.js';
import { createWire, type Basis } from './live-wire.js';
import { MessageRouter, type MessageObserver } from './message-router.js';
import { MirrorGate, type MirrorGateOptions } from './mirror-gate.js';
import { TextFeed } from './output/text-feed.js';
import { isPartial } from './output/text-pieces.js';
import { inOrder, PART_ORDERS, tellAll } from './part-order.js';
import { PromptFeed } from './prompt-feed.js';
import type { CallLedger } from './tooling/call-ledger.js';

export type LiveParts = ReturnType<typeof composeParts>;

/** Makes the parts of one live CLI from checked options. As a rule, the process is running by then. */
export function composeParts(
  { options, warnings, output }: CheckedOptions,
  state: LiveState,
  calls: CallLedger,
  { slot, recorder, unrecorded }: Pick<LiveCliOptions, 'slot' | 'recorder' | 'unrecorded'> = {},
) {
  const onWarning = (error: Error): void => warnings.report(error);
  const { connection, partials, progress, version } = state;
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
    onRefused: (error) => state.end.request({ kind: 'refused', error }),
  });
  const capabilities = new CapabilityWatch(
    () => version.known,
    (reported) => version.note(reported),
  );
  const usage = new UsageLedger({
    onFault: (error, callback) => warnings.fault(`usage.${callback}`, error),
    ...options.usage,
  });
  const texts = new TextFeed({ maxBytes: options.maxBufferedBytes, onWarning });
  const request = createRequestSender(state, channel, lifetime);
  const observers: MessageObserver[] = [];
  const router = new MessageRouter({
    options,
    warnings,
    observers,
    pass: (message, line) => {
      if (!(partials.areHidden && isPartial(message))) mirror.pass(message, line);
    },
  });
  const sessionId = (): string | undefined => router.sessionId;
  const answering = { warnings, calls, request, lifetime, sessionId, slot, recorder, unrecorded };
  const { slots, tools, hooks, permissions, dialogs } = createAnswerers(basis, answering);
  const sweep = createFolderSweep(onWarning);
  const handshake = createHandshake(basis, hooks.mustBeHonoured, (reply) =>
    tellAll(PART_ORDERS.ANSWERED, parts, reply),
  );
  warnOfUnappliedHooks(handshake, hooks, warnings);
  const feed = new PromptFeed({
    prompt: state.prompt,
    progress,
    end: state.end,
    pump,
    lifetime,
    handshake,
    mustHonourHooks: hooks.mustBeHonoured,
  });

  const listeners = inOrder(PART_ORDERS.PIECE, { silence, lifetime });

  /**
   * Takes a piece of an answer without decoding it. To observers such a piece only shows that the CLI is at work. Returns false
   * if the whole message is needed, for readers of texts or a tap.
   */
  const takePiece = (piece: UndecodedPiece): boolean => {
    if (channel.isClosed) return true;
    if (texts.readers > 0 || connection.tap !== undefined) return false;
    for (const listener of listeners) listener.heard();
    if (!partials.areHidden) mirror.passPiece(piece);
    return true;
  };

  const parts = {
    options,
    warnings,
    takePiece,
    messages,
    mirror,
    channel,
    feed,
    request,
    hooks,
    calls,
    capabilities,
    consumer,
    dialogs,
    handshake,
    lifetime,
    names: calls.names,
    output,
    permissions,
    progress,
    slots,
    pump,
    router,
    silence,
    sweep,
    texts,
    tools,
    usage,
    wire,
    /** Fails everything that still waits, because nothing more will come. */
    close: (error: Error): void => tellAll(PART_ORDERS.CLOSE, parts, error),
  };
  observers.push(...inOrder(PART_ORDERS.MESSAGE, parts));
  wire.onMessage.push((message, line) => router.receive(message, line));
  for (const part of inOrder(PART_ORDERS.SENT, parts)) wire.onSent.push((message) => part.wrote(message));
  for (const part of inOrder(PART_ORDERS.SETTLED, parts)) wire.onSettled.add(part);
  return parts;
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
  { options, state: { progress, end }, wire }: Basis,
  mustHonourHooks: boolean,
  onAnswered: (reply: InitializeResponse) => void,
): Handshake {
  return new Handshake({
    timeoutMs: options.handshakeTimeoutMs,
    mustHonourHooks,
    isBusy: () => wire.channel.inboundAwaited > 0,
    isAtWork: () => progress.phase !== 'handshake',
    onAnswered,
    onFailed: (error) => {
      if (!end.isEnding) end.request({ kind: 'failed', error });
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
