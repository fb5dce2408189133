// Makes the channel of a live CLI. The parts that listen to the channel, and those that answer the CLI, are made after it.
import type { WarningReporter } from '../options/check/warning-reporter.js';
import type { Options } from '../options/options.js';
import { Channel } from '../wire/channel/channel.js';
import type { Answerer } from '../wire/protocol/answer.js';
import type { WireObject } from '../wire/protocol/codec.js';
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import { takesWithdrawal } from './controls/control-versions.js';
import type { LiveState } from './live-state.js';

/**
 * The channel with its listeners. The channel and its listeners need each other. So the channel is made with empty lists, and
 * the lists are filled when all parts exist.
 */
export interface Wire {
  readonly channel: Channel;
  /** The answerers by control subtype. */
  readonly answerers: Record<string, Answerer | undefined>;
  readonly onMessage: ((message: WireObject, line: string) => void)[];
  /** Called just before a user message is written. */
  readonly onSent: ((message: SDKUserMessage) => void)[];
  /** Told whenever a control request is settled, in either direction. */
  readonly onSettled: Set<{ settled(): void }>;
}

/** Makes the wire of one live CLI. */
export function createWire(
  {
    connection,
    progress,
    prompt,
    version,
  }: Pick<LiveState, 'connection' | 'progress' | 'prompt' | 'version'>,
  warnings: WarningReporter,
): Wire {
  const answerers: Wire['answerers'] = {};
  const onMessage: Wire['onMessage'] = [];
  const onSettled: Wire['onSettled'] = new Set();
  const channel = new Channel({
    write: (line) => connection.write(line),
    answerers,
    onMessage: (message, line) => {
      progress.noteRunning();
      prompt.noteHeard();
      for (const listener of onMessage) listener(message, line);
    },
    onWarning: (error) => warnings.observe(error),
    // A CLI that may be too old is not told of a withdrawal. Its answer is dropped instead.
    canWithdraw: () => !version.isOpen && takesWithdrawal(version.known),
    onSettled: () => {
      for (const listener of onSettled) listener.settled();
    },
  });
  return { channel, answerers, onMessage, onSent: [], onSettled };
}

/** The three objects that most parts need. */
export interface Basis {
  options: Options;
  state: LiveState;
  wire: Wire;
}
