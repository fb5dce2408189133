// In which order the parts of a live CLI are told of what happens to it. The order is behaviour, so it is data: one table
// for each event, and in each row the part, the rows that must stand before it, and why it stands where it stands. For each
// of `after` a test shows what changes in the other order.
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
  /** Why it stands here. */
  readonly because: string;
}

/** A place in an order whose parts have no method in common. */
interface StepRow<What> extends OrderRow {
  tell(parts: ToldParts, what: What): void;
}

/** The CLI sent a message. The router passes it on to the consumer when all of these have seen it. */
const MESSAGE: readonly OrderRow<NamesOf<MessageObserver>>[] = [
  {
    part: 'consumer',
    because: 'It counts a result as not taken, which the lifetime asks for when it sees the same result.',
  },
  {
    part: 'silence',
    because: 'It notes when the message came, so it stands before all parts that call the caller’s code.',
  },
  {
    part: 'lifetime',
    after: ['consumer'],
    because:
      'It asks the consumer watch whether a reader may still answer a result, before it ends the input.',
  },
  {
    part: 'tools',
    after: ['silence', 'lifetime'],
    because:
      'Its events and warnings call the caller’s code, which may close the CLI: the lifetime must know by then whether a turn is left to interrupt.',
  },
  {
    part: 'calls',
    because: 'It only writes down the calls in the message; the CLI asks for them in later lines.',
  },
  {
    part: 'capabilities',
    after: ['tools'],
    because:
      'It learns the version, and what is to say about that comes behind the warnings about the tools in the same message.',
  },
  {
    part: 'usage',
    after: ['lifetime'],
    because:
      'Its budgets call the caller’s code, which may close the CLI: the lifetime must know by then that the turn has its result.',
  },
  {
    part: 'output',
    after: ['usage'],
    because:
      'A budget’s callback that closes the CLI comes before the output is settled: a caller who waits for it learns of the close.',
  },
  {
    part: 'texts',
    because: 'Its readers go on in a later microtask, so it may stand anywhere.',
  },
];

/** A user message is about to be written. */
const SENT: readonly OrderRow<NamesOf<{ wrote(message: SDKUserMessage): void }>>[] = [
  {
    part: 'names',
    because:
      'It only writes down what the turn of the message is called; calls of that turn ask for it later.',
  },
  {
    part: 'silence',
    because: 'It notes when the CLI began to owe an answer, and leaves everything else to the lifetime.',
  },
  {
    part: 'lifetime',
    because:
      'It counts the message as unanswered, and looks whether an idle CLI has to be asked about others.',
  },
];

/** A control request was settled, in either direction. */
const SETTLED: readonly OrderRow<NamesOf<{ settled(): void }>>[] = [
  {
    part: 'handshake',
    because: 'It only starts its time limit again; once the CLI has answered the handshake it hears no more.',
  },
  {
    part: 'silence',
    because: 'It only notes that silence counts from now.',
  },
  {
    part: 'lifetime',
    because: 'It may end the input, and leaves nothing to do for a clock behind it.',
  },
];

/** The CLI sent a message like the one before it, which is not decoded. */
const PIECE: readonly OrderRow<NamesOf<{ heard(): void }>>[] = [
  { part: 'silence', because: 'It only notes that silence counts from now.' },
  { part: 'lifetime', because: 'It only notes a sign of life.' },
];

/** The CLI has answered the handshake, for the first time or again. */
const ANSWERED: readonly StepRow<InitializeResponse>[] = [
  {
    part: 'handshake',
    because: 'It is not timed any more, whatever the parts behind it do.',
    tell: ({ wire, handshake }) => wire.onSettled.delete(handshake),
  },
  {
    part: 'capabilities',
    because: 'It learns the version; what is to say about that calls the caller’s code.',
    tell: ({ capabilities }, reply) => capabilities.note(reply),
  },
  {
    part: 'sweep',
    because: 'It starts a timer that no other part looks at.',
    tell: ({ sweep }) => sweep.begin(),
  },
  {
    part: 'router',
    because: 'The reply lists the slash commands anew, so those from earlier messages are out of date.',
    tell: ({ router }) => router.forgetCommands(),
  },
  {
    part: 'silence',
    because: 'From now on the CLI can be expected to send something.',
    tell: ({ silence }) => silence?.ready(),
  },
  {
    part: 'progress',
    after: ['capabilities'],
    because:
      'A caller who closes the CLI because of its version does so during the handshake, where no turn is interrupted.',
    tell: ({ progress }) => progress.noteRunning(),
  },
];

/** The CLI is over or on its way there: everything that still waits fails with the error, since nothing more will come. */
const CLOSE: readonly StepRow<Error>[] = [
  {
    part: 'handshake',
    because:
      'Those who wait for the CLI’s answer fail with this error, and not with that of the closed channel.',
    tell: ({ handshake }, error) => handshake.end(error),
  },
  {
    part: 'sweep',
    because: 'It sweeps now what it would have swept later, and touches no other part.',
    tell: ({ sweep }) => sweep.end(),
  },
  {
    part: 'silence',
    because: 'A CLI that is ended is not reported as stalled.',
    tell: ({ silence }) => silence?.stop(),
  },
  {
    part: 'lifetime',
    because: 'It decides nothing more about the input.',
    tell: ({ lifetime }) => lifetime.stop(),
  },
  {
    part: 'pump',
    because: 'It leaves its sources before the channel refuses what they give.',
    tell: ({ pump }) => pump.stop(),
  },
  {
    part: 'wire',
    because:
      'It fires the signals of open requests, so the caller’s code runs: by then the clocks and the pump have stopped.',
    tell: ({ wire }, error) => wire.channel.close(error),
  },
  {
    part: 'tools',
    because: 'It cancels the calls that still run; the closed channel does not write their answers.',
    tell: ({ tools }, error) => tools.close(error),
  },
  {
    part: 'permissions',
    because: 'It forgets its questions, whose signals the channel has fired.',
    tell: ({ permissions }) => permissions.close(),
  },
  {
    part: 'dialogs',
    because: 'It forgets its questions, whose signals the channel has fired.',
    tell: ({ dialogs }) => dialogs.close(),
  },
  {
    part: 'calls',
    after: ['wire'],
    because:
      'It counts the open calls as cut off, and a handler whose signal has just fired may still ask which attempt it is.',
    tell: ({ calls }) => calls.cut(),
  },
  {
    part: 'output',
    because: 'Those who wait for the output go on in a later microtask, so it may stand anywhere.',
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
