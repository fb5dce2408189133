// Defines the order in which the parts of a live CLI are told of an event. The order affects behaviour, so it is kept as data,
// with one table for each event. Each row names a part and the parts that must be told before it. The comment above a row gives
// the reason for its place. For each entry of `after`, a test shows what changes in the other order.
import type { DialogQuestions } from '../answer/permissions/dialog-questions.js';
import type { PermissionQuestions } from '../answer/permissions/permission-questions.js';
import type { UsageLedger } from '../record/usage/usage-ledger.js';
import type { InitializeResponse } from '../wire/protocol/control/control.js';
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import type { CapabilityWatch } from './controls/capabilities.js';
import type { FolderSweep } from './folder-sweep.js';
import type { Handshake } from './handshake.js';
import type { ConsumerWatch } from './input/consumer-watch.js';
import type { InputLifetime } from './input/input-lifetime.js';
import type { PromptPump } from './input/prompt-pump.js';
import type { SilenceWatch } from './input/silence-watch.js';
import type { Progress } from './live-state.js';
import type { Wire } from './live-wire.js';
import type { MessageObserver, MessageRouter } from './message-router.js';
import type { OutputChecker } from './output/output-checker.js';
import type { TextFeed } from './output/text-feed.js';
import type { CallLedger } from './tooling/call-ledger.js';
import type { LiveTools } from './tooling/live-tools.js';
import type { MessageNames } from './tooling/message-names.js';

/** The parts that are told of events. */
export interface ToldParts {
  calls: CallLedger;
  capabilities: CapabilityWatch;
  consumer: ConsumerWatch;
  dialogs: DialogQuestions;
  handshake: Handshake;
  lifetime: InputLifetime;
  names: MessageNames;
  output: OutputChecker;
  permissions: PermissionQuestions;
  progress: Progress;
  pump: PromptPump;
  router: MessageRouter;
  /** Undefined if the options do not ask for it. */
  silence: SilenceWatch | undefined;
  sweep: FolderSweep;
  texts: TextFeed;
  tools: LiveTools;
  usage: UsageLedger;
  wire: Wire;
}

type PartName = keyof ToldParts;

/** The names of the parts that have the methods of `Kind`. */
type NamesOf<Kind> = {
  [Name in PartName]: NonNullable<ToldParts[Name]> extends Kind ? Name : never;
}[PartName];

/** The place of one part in an order. */
export interface OrderRow<Name extends PartName = PartName> {
  readonly part: Name;
  /** Parts of the same table that must be told before this one. */
  readonly after?: readonly PartName[];
}

/** The place of a part in an order whose parts have no method in common. */
interface StepRow<What> extends OrderRow {
  tell(parts: ToldParts, what: What): void;
}

/** The CLI sent a message. The router passes it on to the consumer after all these parts have seen it. */
const MESSAGE: readonly OrderRow<NamesOf<MessageObserver>>[] = [
  // The consumer watch counts a result as not taken. The lifetime reads that count when it sees the same result.
  { part: 'consumer' },
  // The silence watch notes when the message came, so it is told before all parts that call the caller's code.
  { part: 'silence' },
  // The lifetime asks the consumer watch whether a reader may still answer a result, before it ends the input.
  { part: 'lifetime', after: ['consumer'] },
  // The events and warnings of the tools call the caller's code, which may close the CLI. The lifetime must know by
  // then whether a turn is left to interrupt.
  { part: 'tools', after: ['silence', 'lifetime'] },
  // The call ledger only notes the calls in the message. The CLI asks for them in later lines.
  { part: 'calls' },
  // The capability watch learns the version. Warnings about the version come after those about the tools in the same
  // message.
  { part: 'capabilities', after: ['tools'] },
  // The budgets call the caller's code, which may close the CLI. The lifetime must know by then that the turn has its
  // result.
  { part: 'usage', after: ['lifetime'] },
  // A budget's callback may close the CLI. It runs before the output is settled, so that a caller who waits for the
  // output learns of the close.
  { part: 'output', after: ['usage'] },
  // The readers of texts go on in a later microtask, so this row may stand anywhere.
  { part: 'texts' },
];

/** A user message is about to be written. */
const SENT: readonly OrderRow<NamesOf<{ wrote(message: SDKUserMessage): void }>>[] = [
  // The names only note the name of the message's turn. Calls of that turn ask for it later.
  { part: 'names' },
  // The silence watch notes when the CLI began to owe an answer. It leaves everything else to the lifetime.
  { part: 'silence' },
  // The lifetime counts the message as unanswered, and checks whether an idle CLI must be asked about others.
  { part: 'lifetime' },
];

/** A control request was settled, in either direction. */
const SETTLED: readonly OrderRow<NamesOf<{ settled(): void }>>[] = [
  // The handshake only restarts its time limit. Once the CLI has answered the handshake, this part is not told any
  // more.
  { part: 'handshake' },
  // The silence watch only notes that silence counts from now.
  { part: 'silence' },
  // The lifetime may end the input. After that the other parts have nothing to time, so this row is last.
  { part: 'lifetime' },
];

/** The CLI sent a message like the one before it. The message is not decoded. */
const PIECE: readonly OrderRow<NamesOf<{ heard(): void }>>[] = [
  // The silence watch only notes that silence counts from now.
  { part: 'silence' },
  // The lifetime only notes a sign of life.
  { part: 'lifetime' },
];

/** The CLI has answered the handshake, for the first time or again. */
const ANSWERED: readonly StepRow<InitializeResponse>[] = [
  // The handshake is not timed any more, whatever the later parts do.
  {
    part: 'handshake',
    tell: ({ wire, handshake }) => wire.onSettled.delete(handshake),
  },
  // The capability watch learns the version. Warnings about the version call the caller's code.
  {
    part: 'capabilities',
    tell: ({ capabilities }, reply) => capabilities.note(reply),
  },
  // The sweep starts a timer that no other part reads.
  {
    part: 'sweep',
    tell: ({ sweep }) => sweep.begin(),
  },
  // The reply lists the slash commands again, so those from earlier messages are out of date.
  {
    part: 'router',
    tell: ({ router }) => router.forgetCommands(),
  },
  // The silence watch can expect the CLI to send something from now on.
  {
    part: 'silence',
    tell: ({ silence }) => silence?.ready(),
  },
  // A caller who closes the CLI because of its version does so during the handshake, where no turn is interrupted.
  {
    part: 'progress',
    after: ['capabilities'],
    tell: ({ progress }) => progress.noteRunning(),
  },
];

/** The CLI has ended or is ending. Everything that still waits fails with the error, because nothing more will come. */
const CLOSE: readonly StepRow<Error>[] = [
  // Callers who wait for the handshake's answer fail with this error, and not with the error of the closed channel.
  {
    part: 'handshake',
    tell: ({ handshake }, error) => handshake.end(error),
  },
  // The sweep runs now instead of later. It affects no other part.
  {
    part: 'sweep',
    tell: ({ sweep }) => sweep.end(),
  },
  // The silence watch stops, so that a CLI that is being ended is not reported as stalled.
  {
    part: 'silence',
    tell: ({ silence }) => silence?.stop(),
  },
  // The lifetime makes no more decisions about the input.
  {
    part: 'lifetime',
    tell: ({ lifetime }) => lifetime.stop(),
  },
  // The pump leaves its sources before the channel refuses their messages.
  {
    part: 'pump',
    tell: ({ pump }) => pump.stop(),
  },
  // The channel aborts the signals of open requests, so the caller's code runs. By then the watches and the pump have stopped.
  {
    part: 'wire',
    tell: ({ wire }, error) => wire.channel.close(error),
  },
  // The tools cancel the calls that still run. The closed channel does not write their answers.
  {
    part: 'tools',
    tell: ({ tools }, error) => tools.close(error),
  },
  // The permissions forget their questions. The channel has already aborted the signals of those questions.
  {
    part: 'permissions',
    tell: ({ permissions }) => permissions.close(),
  },
  // The dialogs forget their questions. The channel has already aborted the signals of those questions.
  {
    part: 'dialogs',
    tell: ({ dialogs }) => dialogs.close(),
  },
  // The call ledger counts the open calls as cut off. Before that, a handler whose signal has just aborted may still ask for
  // its attempt.
  {
    part: 'calls',
    after: ['wire'],
    tell: ({ calls }) => calls.cut(),
  },
  // Callers who wait for the output go on in a later microtask, so this row may stand anywhere.
  {
    part: 'output',
    tell: ({ output }, error) => output.close(error),
  },
];

/** All orders, by event. */
export const PART_ORDERS = { MESSAGE, SENT, SETTLED, PIECE, ANSWERED, CLOSE } as const;

/** Returns the parts of a table in its order. A part that was not made is left out. */
export function inOrder<Name extends PartName>(
  rows: readonly OrderRow<Name>[],
  parts: Pick<ToldParts, Name>,
): NonNullable<ToldParts[Name]>[] {
  return rows.flatMap(({ part }) => parts[part] ?? []);
}

/** Tells the parts of a table in its order. */
export function tellAll<What>(rows: readonly StepRow<What>[], parts: ToldParts, what: What): void {
  for (const row of rows) row.tell(parts, what);
}
