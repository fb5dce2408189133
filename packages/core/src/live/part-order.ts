// In which order the parts of a live CLI are told of what happens to it. The order is behaviour, so it is data: one table
// for each event, and in each row the part and the rows that must stand before it. A comment above each row says why it
// stands there, and a test shows for each of `after` what changes in the other order.
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

/** The parts that are told of something. */
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
  /** Undefined where the options do not ask for it. */
  silence: SilenceWatch | undefined;
  sweep: FolderSweep;
  texts: TextFeed;
  tools: LiveTools;
  usage: UsageLedger;
  wire: Wire;
}

type PartName = keyof ToldParts;

/** The names of those parts that have a method. */
type NamesOf<Kind> = {
  [Name in PartName]: NonNullable<ToldParts[Name]> extends Kind ? Name : never;
}[PartName];

/** The place of one part in an order. */
export interface OrderRow<Name extends PartName = PartName> {
  readonly part: Name;
  /** Parts of the same table that must be told before this one. */
  readonly after?: readonly PartName[];
}

/** A place in an order whose parts have no method in common. */
interface StepRow<What> extends OrderRow {
  tell(parts: ToldParts, what: What): void;
}

/** The CLI sent a message. The router passes it on to the consumer when all of these have seen it. */
const MESSAGE: readonly OrderRow<NamesOf<MessageObserver>>[] = [
  // It counts a result as not taken, which the lifetime asks for when it sees the same result.
  { part: 'consumer' },
  // It notes when the message came, so it stands before all parts that call the caller's code.
  { part: 'silence' },
  // It asks the consumer watch whether a reader may still answer a result, before it ends the input.
  { part: 'lifetime', after: ['consumer'] },
  // Its events and warnings call the caller's code, which may close the CLI: the lifetime must know by then whether a
  // turn is left to interrupt.
  { part: 'tools', after: ['silence', 'lifetime'] },
  // It only writes down the calls in the message; the CLI asks for them in later lines.
  { part: 'calls' },
  // It learns the version, and what is to say about that comes behind the warnings about the tools in the same
  // message.
  { part: 'capabilities', after: ['tools'] },
  // Its budgets call the caller's code, which may close the CLI: the lifetime must know by then that the turn has its
  // result.
  { part: 'usage', after: ['lifetime'] },
  // A budget's callback that closes the CLI comes before the output is settled: a caller who waits for it learns of
  // the close.
  { part: 'output', after: ['usage'] },
  // Its readers go on in a later microtask, so it may stand anywhere.
  { part: 'texts' },
];

/** A user message is about to be written. */
const SENT: readonly OrderRow<NamesOf<{ wrote(message: SDKUserMessage): void }>>[] = [
  // It only writes down what the turn of the message is called; calls of that turn ask for it later.
  { part: 'names' },
  // It notes when the CLI began to owe an answer, and leaves everything else to the lifetime.
  { part: 'silence' },
  // It counts the message as unanswered, and looks whether an idle CLI has to be asked about others.
  { part: 'lifetime' },
];

/** A control request was settled, in either direction. */
const SETTLED: readonly OrderRow<NamesOf<{ settled(): void }>>[] = [
  // It only starts its time limit again; once the CLI has answered the handshake it hears no more.
  { part: 'handshake' },
  // It only notes that silence counts from now.
  { part: 'silence' },
  // It may end the input, and leaves nothing to do for a clock behind it.
  { part: 'lifetime' },
];

/** The CLI sent a message like the one before it, which is not decoded. */
const PIECE: readonly OrderRow<NamesOf<{ heard(): void }>>[] = [
  // It only notes that silence counts from now.
  { part: 'silence' },
  // It only notes a sign of life.
  { part: 'lifetime' },
];

/** The CLI has answered the handshake, for the first time or again. */
const ANSWERED: readonly StepRow<InitializeResponse>[] = [
  // It is not timed any more, whatever the parts behind it do.
  {
    part: 'handshake',
    tell: ({ wire, handshake }) => wire.onSettled.delete(handshake),
  },
  // It learns the version; what is to say about that calls the caller's code.
  {
    part: 'capabilities',
    tell: ({ capabilities }, reply) => capabilities.note(reply),
  },
  // It starts a timer that no other part looks at.
  {
    part: 'sweep',
    tell: ({ sweep }) => sweep.begin(),
  },
  // The reply lists the slash commands anew, so those from earlier messages are out of date.
  {
    part: 'router',
    tell: ({ router }) => router.forgetCommands(),
  },
  // From now on the CLI can be expected to send something.
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

/** The CLI is over or on its way there: everything that still waits fails with the error, since nothing more will come. */
const CLOSE: readonly StepRow<Error>[] = [
  // Those who wait for the CLI's answer fail with this error, and not with that of the closed channel.
  {
    part: 'handshake',
    tell: ({ handshake }, error) => handshake.end(error),
  },
  // It sweeps now what it would have swept later, and touches no other part.
  {
    part: 'sweep',
    tell: ({ sweep }) => sweep.end(),
  },
  // A CLI that is ended is not reported as stalled.
  {
    part: 'silence',
    tell: ({ silence }) => silence?.stop(),
  },
  // It decides nothing more about the input.
  {
    part: 'lifetime',
    tell: ({ lifetime }) => lifetime.stop(),
  },
  // It leaves its sources before the channel refuses what they give.
  {
    part: 'pump',
    tell: ({ pump }) => pump.stop(),
  },
  // It fires the signals of open requests, so the caller's code runs: by then the clocks and the pump have stopped.
  {
    part: 'wire',
    tell: ({ wire }, error) => wire.channel.close(error),
  },
  // It cancels the calls that still run; the closed channel does not write their answers.
  {
    part: 'tools',
    tell: ({ tools }, error) => tools.close(error),
  },
  // It forgets its questions, whose signals the channel has fired.
  {
    part: 'permissions',
    tell: ({ permissions }) => permissions.close(),
  },
  // It forgets its questions, whose signals the channel has fired.
  {
    part: 'dialogs',
    tell: ({ dialogs }) => dialogs.close(),
  },
  // It counts the open calls as cut off, and a handler whose signal has just fired may still ask which attempt it is.
  {
    part: 'calls',
    after: ['wire'],
    tell: ({ calls }) => calls.cut(),
  },
  // Those who wait for the output go on in a later microtask, so it may stand anywhere.
  {
    part: 'output',
    tell: ({ output }, error) => output.close(error),
  },
];

/** All orders, by what the parts are told of. */
export const PART_ORDERS = { MESSAGE, SENT, SETTLED, PIECE, ANSWERED, CLOSE } as const;

/** The parts of a table in its order, without one that was not made. */
export function inOrder<Name extends PartName>(
  rows: readonly OrderRow<Name>[],
  parts: Pick<ToldParts, Name>,
): NonNullable<ToldParts[Name]>[] {
  return rows.flatMap(({ part }) => parts[part] ?? []);
}

/** Tells the parts of a table, in its order. */
export function tellAll<What>(rows: readonly StepRow<What>[], parts: ToldParts, what: What): void {
  for (const row of rows) row.tell(parts, what);
}
