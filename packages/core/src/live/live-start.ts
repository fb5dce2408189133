// Starts a live CLI: launches it, adopts it, and sends its handshake and then its prompt. If someone asks for the end
// meanwhile, the start stops at the next step.
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { PieceReceiver } from '../wire/transport/transport.js';
import { describeCli } from './inspect-live.js';
import { leaveSource } from './input/prompt-pump.js';
import type { LateParts } from './late-parts.js';
import type { Launch, Launched } from './launch.js';
import { readHost, type LaunchHost } from './launch-host.js';
import type { CheckedOptions } from './live-checks.js';
import type { LiveCliOptions } from './live-cli-options.js';
import type { LiveEnd } from './live-end.js';
import type { LiveParts } from './live-parts.js';
import { completeHandshake } from './live-ready.js';
import type { LiveState } from './live-state.js';
import { asksForPartials } from './output/text-pieces.js';
import { inspectIfAsked } from './watch/inspect-if-asked.js';

/** The objects that a start works with. All of them were made before. */
export interface LiveStartOptions extends Pick<LiveCliOptions, 'completed'> {
  state: LiveState;
  checked: CheckedOptions;
  late: LateParts;
  end: LiveEnd;
  launch: Launch;
}

/** One per live CLI, run once. */
export class LiveStart {
  readonly #given: LiveStartOptions;
  #initialize: Launched['initialize'] = {};

  constructor(given: LiveStartOptions) {
    this.#given = given;
  }

  /** The handshake request as it was sent. Empty before that. */
  get initialize(): Launched['initialize'] {
    return this.#initialize;
  }

  get #parts(): LiveParts {
    return this.#given.late.get();
  }

  /** Resolves when the prompt has been fed, or when the CLI is to end. */
  async run(source: AsyncIterator<SDKUserMessage> | undefined): Promise<void> {
    const { state, end } = this.#given;
    let launched: Launched | undefined;
    try {
      const host = readHost();
      const inspecting = inspectIfAsked(host.env);
      if (inspecting) await inspecting;
      if (state.end.cause === undefined) launched = await this.#launch(host);
    } catch (error) {
      end.noteFailure(error);
    }
    if (state.end.isOver || !launched) {
      if (launched) {
        // The transport was never opened, but it may hold resources.
        launched.transport.terminate({ graceMs: 0 }).catch(() => {});
        end.discard(launched.discard);
        void launched.config?.remove();
      }
      if (source) leaveSource(source);
      end.finish(undefined);
      return;
    }
    this.#adopt(launched);
    state.progress.noteConnected();
    try {
      const completed = completeHandshake(this.#parts, launched);
      this.#initialize = completed instanceof Promise ? await completed : completed;
    } catch (error) {
      void end.close({ kind: 'failed', error });
    }
    if (state.end.isEnding) {
      if (source) leaveSource(source);
      return;
    }
    const initialize = this.#initialize;
    const { handshake, channel, feed } = this.#parts;
    handshake.send((signal) => channel.request({ subtype: 'initialize', ...initialize }, { signal }));
    state.progress.noteLaunched();
    if (source) await feed.open(source);
  }

  #launch(host: LaunchHost): Promise<Launched> {
    const { state, checked, end, launch, completed } = this.#given;
    const { options, warnings, tellsVersion } = checked;
    return launch({
      options,
      host,
      tellsServersVersion: tellsVersion,
      onWarning: (error) => warnings.report(error),
      onFault: (callback, cause) => warnings.fault(callback, cause),
      streamsText: () => state.partials.decide(asksForPartials(options)),
      completed,
      signal: end.unwanted,
    });
  }

  #adopt(launched: Launched): void {
    const { state, checked, end } = this.#given;
    const { connection, version } = state;
    connection.connect(launched.transport);
    version.begin(launched.version, launched.openVersion);
    end.adopt(launched);
    for (const warning of launched.warnings) checked.warnings.emit(warning);
    const receiver: PieceReceiver = {
      line: (text) => {
        if (connection.tap !== undefined) connection.tap.line('in', text);
        this.#parts.channel.receiveLine(text);
      },
      piece: (piece) => this.#parts.takePiece(piece),
      fault: (error) => end.receiveFault(error),
      closed: (transportEnd) => end.receiveEnd(transportEnd),
    };
    launched.transport.open(receiver);
    connection.tap?.begin({ ...describeCli(state, this.#parts.options), isLate: false });
  }
}
