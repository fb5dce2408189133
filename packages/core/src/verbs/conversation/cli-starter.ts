// Starts the CLIs of a conversation, each once the turn to continue is read and the session group has room. Passes on what a CLI
// says, from the moment its turn is taken up. `conversation-cli` decides when one is started, and what follows its end.
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { Continuation } from './continuation.js';
import type { CrashRecord } from './crash-record.js';
import type { CurrentCli } from './current-cli.js';
import type { RecordingParts } from './recording-parts.js';
import { runCli } from './run-cli.js';
import type { StartPlanner } from './start-planner.js';

interface CliStarterInput {
  readonly parts: RecordingParts;
  readonly continuation: Continuation;
  readonly planner: StartPlanner;
  readonly crashes: CrashRecord;
  readonly current: CurrentCli;
  /** Called when a process is gone, with the error that ended its messages, if there was one. */
  readonly onEnd: (live: LiveCli, error: unknown) => void;
  /** Called when no process could be started. */
  readonly onFailure: (error: unknown) => void;
}

/** One per conversation. */
export class CliStarter {
  readonly #input: CliStarterInput;
  #streamsText: boolean;
  readonly #early: SDKMessage[] = [];

  constructor(input: CliStarterInput) {
    this.#input = input;
    this.#streamsText = input.parts.options.streamText === true;
  }

  /** Makes the CLI send its answers in pieces, from its next start on. */
  streamText(): void {
    this.#streamsText = true;
    this.#input.current.live?.streamText();
  }

  /** Starts a CLI. Throws for wrong options. */
  begin(): void {
    const { parts, continuation, current, onFailure } = this.#input;
    current.state = 'starting';
    if (!parts.gate && !continuation.isDue) this.#launch();
    else this.#launchLater().catch(onFailure);
  }

  /** Starts a CLI for a turn whose calls have just been completed. */
  goOn(): void {
    this.#input.current.state = 'starting';
    void this.#launchPrepared().catch(this.#input.onFailure);
  }

  /** Passes on what a CLI has said that was not ready yet. */
  passEarly(): void {
    for (const message of this.#early.splice(0)) this.#pass(message);
  }

  async #launchLater(): Promise<void> {
    const { continuation, planner, current } = this.#input;
    if (continuation.isDue) await continuation.prepare(planner.resumedId, current.lastLive?.version);
    if (continuation.failure) throw continuation.failure;
    await this.#launchPrepared();
  }

  async #launchPrepared(): Promise<void> {
    const { parts, continuation } = this.#input;
    const { admission, gate } = parts;
    // The turn runs as soon as its CLI does, so it needs its place in the group before that.
    if (continuation.found) await admission.enter(continuation.found);
    await gate?.beforeStart();
    this.#launchAdmitted();
  }

  #launchAdmitted(): void {
    const { parts, current } = this.#input;
    try {
      if (current.state === 'starting') this.#launch();
      else parts.gate?.onGone();
    } catch (error) {
      parts.gate?.onGone();
      throw error;
    }
  }

  #launch(): void {
    const { parts, continuation, planner, current, onEnd } = this.#input;
    const { recording } = parts;
    const live: LiveCli = runCli({
      parts,
      options: { ...continuation.apply(planner.plan()), streamText: this.#streamsText },
      onIgnored: (uuid) => current.observer?.onIgnored(uuid),
      onHandshake: (ready) => (current.lastLive = ready),
      onReady: (ready, reply) => this.#noteReady(ready, reply.session_state === 'running'),
      onMessage: (message) => this.#receive(message),
      onEnd: (error) => onEnd(live, error),
    });
    current.live = live;
    // The records must be open before the first message is written.
    void recording.prepare(planner.knownId);
    recording.follow(live);
    current.observer?.onLaunch(live);
  }

  #noteReady(live: LiveCli, isRunning: boolean): void {
    const { parts, continuation, planner, crashes, current } = this.#input;
    if (current.live !== live || current.state !== 'starting') return;
    current.state = 'ready';
    void parts.recording.release(live.pid);
    const isFirst = !planner.hasBeenReady;
    planner.noteReady();
    const { conversation, sessionId } = planner;
    crashes.recover({ conversation, sessionId, pid: live.pid });
    const continued = continuation.takeUp({ conversation, isRunning });
    if (continued || isRunning) planner.noteWrite();
    current.ready.resolve(live);
    if (isFirst) current.observer?.onContinued(continued);
    current.observer?.onReady();
    this.passEarly();
  }

  /** A CLI that goes on by itself may speak before the turn is taken up. The turn gets these messages then. */
  #receive(message: SDKMessage): void {
    const { continuation, current } = this.#input;
    if (current.state === 'starting' && continuation.isDue) this.#early.push(message);
    else this.#pass(message);
  }

  #pass(message: SDKMessage): void {
    const { parts, planner, current } = this.#input;
    // The id changes when the conversation is cleared.
    if (message.type === 'system' && message.subtype === 'init') {
      planner.noteId(message.session_id);
      void parts.recording.prepare(message.session_id);
    }
    current.observer?.onMessage(message);
  }
}
