// The channel of a live CLI, made before the parts that listen to it and answer for it.
import type { WarningReporter } from '../options/check/warning-reporter.js';
import type { Options } from '../options/options.js';
import { Channel } from '../wire/channel/channel.js';
import type { Answerer } from '../wire/protocol/answer.js';
import type { WireObject } from '../wire/protocol/codec.js';
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import { takesWithdrawal } from './controls/control-versions.js';
import type { LiveState } from './live-state.js';

/** The channel and its listeners need each other: it is made with empty lists, which are filled when all parts exist. */
export interface Wire {
  readonly channel: Channel;
  /** By control subtype. */
  readonly answerers: Record<string, Answerer | undefined>;
  readonly onMessage: ((message: WireObject, line: string) => void)[];
  /** A user message is about to be written. */
  readonly onSent: ((message: SDKUserMessage) => void)[];
  /** Those who hear that a control request was settled, in either direction. */
  readonly onSettled: Set<{ settled(): void }>;
}

/** Makes one for one live CLI. */
export function createWire(
  { connection, progress, version }: Pick<LiveState, 'connection' | 'progress' | 'version'>,
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
      for (const listener of onMessage) listener(message, line);
    },
    onWarning: (error) => warnings.observe(error),
    // One that may be too old is not told: what it answers is dropped.
    canWithdraw: () => !version.isOpen && takesWithdrawal(version.known),
    onSettled: () => {
      for (const listener of onSettled) listener.settled();
    },
  });
  return { channel, answerers, onMessage, onSent: [], onSettled };
}

/** What most parts need. */
export interface Basis {
  options: Options;
  state: LiveState;
  wire: Wire;
}
