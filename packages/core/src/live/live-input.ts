// Makes the parts that feed a live CLI. They decide what is written, when the input ends, and for whom it stays open.
import type { Options } from '../options/options.js';
import { isKnownToTakeLong } from './controls/control-versions.js';
import { ConsumerWatch } from './input/consumer-watch.js';
import { InputLifetime } from './input/input-lifetime.js';
import { PromptPump } from './input/prompt-pump.js';
import { SilenceWatch } from './input/silence-watch.js';
import { checkMessage, dependsOnVersion } from './input/user-message.js';
import type { Basis } from './live-wire.js';
import { createMessageQueue } from './output/message-queue.js';

/** Makes the input parts and the queue of messages. The parts are told what the consumer of the queue does. */
export function createInput(basis: Basis, onWarning: (error: Error) => void) {
  const consumer = new ConsumerWatch();
  const pump = createPump(basis);
  const lifetime = createLifetime(basis, pump, consumer);
  const silence = createSilenceWatch(basis, lifetime);
  const { messages, pushPiece } = createMessageQueue({
    maxBytes: basis.options.maxBufferedBytes,
    onWarning,
    readLine: (line) => basis.wire.channel.readMessage(line),
    listener: {
      asks: () => {
        consumer.asks();
        lifetime.consumerMoved();
      },
      takes: (message) => {
        consumer.takes(message);
        lifetime.consumerMoved();
      },
    },
  });
  return { messages, pushPiece, consumer, pump, lifetime, silence };
}

function createPump({ options, state, wire: { channel, onSent } }: Basis): PromptPump {
  const { connection, prompt, version } = state;
  return new PromptPump({
    verbatim: options.verbatimPrompts === true,
    sink: {
      send: (message) => {
        checkMessage(message, version.known);
        channel.send(message);
        prompt.noteWritten();
        return connection.hasRoom;
      },
      drained: () => connection.transport?.drained() ?? Promise.resolve(),
      // A CLI that has only its handshake exits when its host dies. A CLI with a prompt must be ended by a guard, so
      // the prompt waits for the guard.
      held: (message) => {
        prompt.noteAtHand();
        const guarded = (): Promise<void> | undefined => connection.transport?.guarded?.();
        const learning = dependsOnVersion(message) ? version.learn() : undefined;
        return learning ? learning.then(guarded) : guarded();
      },
      onSent: (message) => {
        for (const listener of onSent) listener(message);
      },
    },
  });
}

function createLifetime(
  { options, state, wire: { channel } }: Basis,
  pump: PromptPump,
  consumer: ConsumerWatch,
): InputLifetime {
  const { connection, prompt, holds, ignored, end } = state;
  return new InputLifetime({
    openSources: () => pump.openSources + holds.count + (prompt.isDue ? 1 : 0),
    openRequests: () => channel.outboundInFlight,
    openLongRequests: () => channel.countOutbound(isKnownToTakeLong),
    callbacksAtWork: () => channel.inboundAwaited,
    answersQuestions: hasAnswerers(options),
    expectsSuggestion: options.promptSuggestions === true,
    consumerHoldMs: () => consumer.holdMs,
    ask: () => channel.request({ subtype: 'mcp_status' }),
    onIgnored: (uuids) => ignored.note(uuids),
    endInput: () => connection.endInput(),
    onLingering: (seemsDead) => end.request({ kind: seemsDead ? 'wedged' : 'lingered' }),
  });
}

/** Returns a watch only if the option asks for one, because the watch looks at every message. */
function createSilenceWatch(
  { options, state, wire }: Basis,
  lifetime: InputLifetime,
): SilenceWatch | undefined {
  const { idleTimeoutMs } = options;
  if (!idleTimeoutMs) return undefined;
  return new SilenceWatch({
    idleTimeoutMs,
    // A stalled CLI does not answer the lifetime's own check either, so open checks do not count.
    isBusy: () => wire.channel.inFlight > lifetime.openChecks,
    onStall: (error) => state.end.request({ kind: 'failed', error }),
  });
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
