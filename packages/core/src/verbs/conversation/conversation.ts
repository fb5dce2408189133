// A conversation: puts its CLI, turns, controls and readers together. `conversation-cli` decides which process answers,
// `turn-tracker` which turn a message belongs to, and `conversation-idleness` when the conversation is idle.
import { InvalidOptionsError } from '../../errors.js';
import type { Uuid } from '../../wire/protocol/messages/message-values.js';
import type { SDKMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { WarningReporter } from '../../options/check/warning-reporter.js';
import { UsageLedger } from '../../record/usage/usage-ledger.js';
import { Broadcast, encodeOnce } from '../../util/queues/broadcast.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { toUserMessage, userMessageOf, type MessageInput } from '../../live/input/user-message.js';
import { TextFeed, type TextStream, type TextStreamOptions } from '../../live/output/text-feed.js';
import { asksForPartials, isPartial } from '../../live/output/text-pieces.js';
import { createOutputReader, type OutputReader } from '../../live/output/structured-output.js';
import { createCallLedger } from '../../live/tooling/call-ledger.js';
import { nameTools } from '../../live/tooling/name-tools.js';
import { createQuietDeferred, type Deferred } from '../../util/deferred.js';
import type { InspectedSession } from '../../live/watch/inspected-session.js';
import { noteGone, noteRunning } from '../../live/watch/session-registry.js';
import { CallRecording } from './call-recording.js';
import { closedBecause } from './closed-because.js';
import { ChangeJournal } from './change-journal.js';
import { Continuation } from './continuation.js';
import { ConversationCli } from './conversation-cli.js';
import { ConversationControls } from './conversation-controls.js';
import type { SessionEvent } from './conversation-event.js';
import { ConversationIdleness } from './conversation-idleness.js';
import type { ConversationParts, ConversationSetup } from './conversation-parts.js';
import { CliFollowers, inspectConversation } from './inspect-conversation.js';
import type { RecordingParts } from './recording-parts.js';
import { SavedTurn } from './saved-turn.js';
import { tellCompleted } from './tell-completed.js';
import { TurnAdmission } from './turn-admission.js';
import { TurnWriter } from './turn-writer.js';
import { OpenTurn, type Turn } from './turns/turn.js';
import { TurnQueue } from './turns/turn-queue.js';
import { WaitingRelease } from './waiting-release.js';
import { Withdrawals, type SendOptions } from './turns/withdrawals.js';

/** The implementation behind a public `Session`. */
export class Conversation {
  readonly cli: ConversationCli;
  readonly controls: ConversationControls;
  readonly turns: TurnQueue;
  readonly usage: UsageLedger;
  readonly messages: Broadcast<SDKMessage>;
  readonly #texts: TextFeed;
  readonly events = new Broadcast<SessionEvent>();
  /** The records of the conversation's calls. */
  readonly recording: CallRecording;
  readonly #parts: ConversationParts;
  readonly #output: OutputReader<unknown> | undefined;
  readonly #idleness: ConversationIdleness;
  readonly #writer: TurnWriter;
  readonly #withdrawals: Withdrawals;
  readonly #hidesPartials: boolean;
  readonly #knownUuids = new Set<string>();
  readonly #continuation: Continuation;
  readonly #continued: Deferred<OpenTurn | undefined> = createQuietDeferred();
  readonly #saved: SavedTurn;
  readonly #release: WaitingRelease;
  #abandoned: Promise<void> | undefined;
  /** The inspectors of this session; undefined in most programs. */
  #followers: CliFollowers | undefined;

  constructor(setup: ConversationSetup, idleAfterMs?: number) {
    // The caller's budget is for the whole conversation, so its CLIs do not get the option.
    const { usage, ...options } = setup.options;
    const warnings = new WarningReporter(nameTools(options));
    this.usage = new UsageLedger({
      onFault: (error, callback) => warnings.fault(`usage.${callback}`, error),
      ...usage,
    });
    this.#saved = new SavedTurn(options);
    this.#output = options.output === undefined ? undefined : createOutputReader(options.output);
    this.messages = new Broadcast({ maxBytes: options.maxBufferedBytes });
    this.#texts = new TextFeed({ maxBytes: options.maxBufferedBytes });
    this.#hidesPartials = !asksForPartials(options);
    this.turns = new TurnQueue(setup.restart?.resend);
    this.#parts = {
      ...setup,
      options,
      warnings,
      journal: new ChangeJournal(),
      turns: this.turns,
      admission: new TurnAdmission(setup.gate),
      calls: createCallLedger(options),
      // Events stay in memory. They are few, and an error cannot be written to a file and read back.
      emit: (event) => {
        this.events.push(event, () => '');
        if (event.type === 'suspended') this.#followers?.suspended(event.waitsFor ?? []);
      },
    };
    const recorded: RecordingParts = {
      ...this.#parts,
      recording: new CallRecording(this.#parts),
      onCompleted: (completed, turns) =>
        tellCompleted(
          { completed, turns },
          { parts: recorded, messages: this.messages, followers: this.#followers, usage: this.usage },
        ),
    };
    this.recording = recorded.recording;
    // The session may wait for a person although it has no CLI. The inspector has to find it nevertheless.
    this.recording.onAsking = (questions) => {
      noteRunning(this, setup.origin);
      // A turn that is found in the transcript waits before there was any CLI. That of a CLI that was let go is known already.
      if (this.#continuation.found) this.#followers?.suspended(['person']);
      this.#followers?.asking(questions);
      // Readers of the turn can begin while it waits for a person.
      if (this.#continuation.found) this.#continued.resolve(this.#continuation.found);
    };
    this.#continuation = new Continuation(recorded, (uuid) =>
      this.#createTurn({ ...userMessageOf(''), uuid: uuid as Uuid }),
    );
    this.cli = new ConversationCli(recorded, this.#continuation);
    this.#writer = new TurnWriter(recorded, this.cli);
    this.controls = new ConversationControls(recorded, this.cli, () => this.#noteActivity());
    const shared = { parts: recorded, cli: this.cli };
    this.#idleness = new ConversationIdleness({ ...shared, controls: this.controls, afterMs: idleAfterMs });
    this.#release = new WaitingRelease({
      ...shared,
      isNeeded: () => this.#idleness.taskCount > 0 || this.controls.isAsked,
      onLetGo: (totals) => this.turns.written.carry(this.usage.letGo(totals)),
    });
    this.#withdrawals = new Withdrawals({
      turns: this.turns,
      request: (request) => this.controls.request(request),
      onWithdrawn: () => void this.#writer.writeWaiting(),
    });
    // This comes last, because any method may be called from here on.
    this.cli.observe({
      onMessage: (message) => this.#receive(message),
      onLaunch: (live) => {
        noteRunning(this, setup.origin);
        this.#release.follow(live);
        this.#followers?.live(live);
      },
      onGone: () => noteGone(this),
      onReady: () => this.#noteReady(),
      onContinued: (turn) => this.#continued.resolve(turn),
      onIgnored: (uuid) => {
        this.turns.written.ignore(uuid);
        void this.#writer.writeWaiting();
      },
      onCut: () => void this.#writer.writeWaiting(),
      onOver: (error) => this.#finish(error),
    });
  }

  /** Whether suspending the CLI would cost nothing but the time of the next start. Turns may be waiting. */
  get isQuiet(): boolean {
    return this.#idleness.isQuiet;
  }

  /** How many milliseconds ago something last happened. 0 while there is other work than background tasks. */
  get silentMs(): number {
    return this.#idleness.silentMs;
  }

  send(input: MessageInput, { signal }: SendOptions = {}): Turn {
    const message = toUserMessage(input);
    // The CLI silently drops a second message with the same id.
    if (this.#knownUuids.has(message.uuid)) {
      throw new InvalidOptionsError(
        ['uuid'],
        `A message with the uuid ${message.uuid} has already been sent`,
      );
    }
    const turn = this.#createTurn(message);
    if (!this.turns.add(turn)) return turn;
    if (signal) this.#withdrawals.stopOn(signal, turn);
    this.#idleness.touch();
    void this.#writer.writeWaiting();
    return turn;
  }

  /**
   * The turn that was cut off before the session was opened; undefined if there is none. Starts a CLI where none is
   * started yet.
   */
  get continued(): Promise<OpenTurn | undefined> {
    if (this.#parts.interrupted !== 'continue') return Promise.resolve(undefined);
    if (!this.turns.isClosed) void this.cli.whenReady().catch(() => {});
    return this.#continued.promise;
  }

  #createTurn(message: SDKUserMessage & { uuid: string }): OpenTurn {
    this.#knownUuids.add(message.uuid);
    const turn = new OpenTurn({
      message,
      output: this.#output,
      maxBytes: this.#parts.options.maxBufferedBytes,
      onCancel: (each, reason) => this.#withdrawals.withdraw(each, reason),
      onTextStream: () => this.cli.streamText(),
    });
    turn.onOver = () => {
      this.#withdrawals.forget(turn);
      this.#parts.admission.leave(turn);
    };
    return turn;
  }

  textStream(options?: TextStreamOptions): TextStream {
    this.cli.streamText();
    return this.#texts.read(options);
  }

  /** The session as the inspector sees it. */
  inspected(): InspectedSession {
    this.#followers ??= new CliFollowers();
    return inspectConversation(this, this.#parts, this.#followers);
  }

  /** Ends the CLI until it is needed again. Returns false, and ends nothing, when that would lose something. */
  suspend(): Promise<boolean> {
    return this.#idleness.suspend();
  }

  /** Suspends although turns wait, and ends background tasks. For callers that know that nothing else is lost. */
  async forceSuspend(): Promise<void> {
    await this.cli.suspend(this.#idleness.taskCount);
  }

  async close(): Promise<void> {
    // Another session will go on with the turn of an abandoned one, so the turn must not be interrupted.
    if (this.#abandoned) return await this.#abandoned;
    const stopped = this.cli.stopWaiting() ?? this.recording.stopTurn();
    this.#failTurns(undefined);
    await stopped;
    await this.cli.close();
  }

  abandon(): Promise<void> {
    this.#abandoned ??= this.#abandon();
    return this.#abandoned;
  }

  async #abandon(): Promise<void> {
    const { running } = this.turns.written;
    this.recording.recorder?.abandon();
    const saving = running && this.#saved.wait(running.message.uuid, this.cli);
    this.#failTurns(undefined);
    if (saving) await saving;
    await this.cli.close({ kind: 'abandoned' });
  }

  #receive(message: SDKMessage): void {
    this.usage.observe(message);
    this.#idleness.observe(message);
    this.#saved.observe(message);
    this.#release.observe(message);
    this.#texts.observe(message);
    const encode = encodeOnce(message);
    const isHidden = this.#hidesPartials && isPartial(message);
    const answered = this.turns.written.observe(message, encode, isHidden);
    if (answered > 0 && message.type === 'result') this.cli.noteAnswer();
    if (!isHidden) this.messages.push(message, encode);
    this.#withdrawals.interruptBegun();
    this.#parts.gate?.onChange();
    void this.#writer.writeWaiting();
  }

  #noteReady(): void {
    this.#idleness.startOver();
    this.usage.startOver();
    this.turns.written.startOver();
    this.#noteActivity();
    this.#idleness.start();
    // A turn that is continued by a message has just been queued.
    void this.#writer.writeWaiting();
  }

  #noteActivity(): void {
    this.#idleness.touch();
    this.#release.noteChange();
    this.#parts.gate?.onChange();
  }

  #failTurns(error: unknown): void {
    this.#idleness.stop();
    this.#release.stop();
    this.turns.close(error);
  }

  #finish(error: unknown): void {
    noteGone(this);
    this.#failTurns(error);
    this.#continued.reject(closedBecause(error));
    this.#parts.emit(withoutUndefined({ type: 'closed', error }));
    this.events.end();
    this.#followers?.over(error);
    for (const stream of [this.messages, this.#texts]) {
      if (error === undefined) stream.end();
      else stream.fail(error);
    }
  }
}
