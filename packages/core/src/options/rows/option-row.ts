// The type of a row in the option table, and helpers for writing rows.
import type { InitializeRequest } from '../../wire/protocol/control/initialize.js';
import type { InboardWarning } from '../check/warning.js';
import type { Options } from '../options.js';
import type { PlannedVersion } from '../supported-versions.js';
import type { OptionShape } from '../../util/option-shapes.js';

/** Everything known about one option. */
export interface OptionRow<Value> {
  shape: OptionShape;
  /** The known values. Others are passed on with a warning, because the CLI may know more. */
  known?: readonly string[];
  /**
   * Says what is wrong with a value of the right shape, as the end of a sentence that starts with the option's name.
   * Undefined if nothing is wrong.
   */
  findProblem?(value: Value): string | undefined;
  /** Warns of a value that is allowed but probably not meant. */
  findWarnings?(value: Value): InboardWarning[];

  /** The first CLI that has the option. Default: all supported ones have it. */
  since?: string;
  /**
   * Returns the form for a CLI before `since`; undefined leaves the option out. Without this function, the option is
   * refused for such a CLI.
   */
  older?(value: Value): Value | undefined;
  /** Parts, values and uses of the option that came later, by their name in docs/cli-versions.md. */
  forms?: Readonly<Record<string, string | OptionForm<Value>>>;
  /** Parts of entries that came later, for an option that is an object of named entries, such as `agents`. */
  entryForms?: Readonly<Record<string, string | EntryForm<NonNullable<Value[keyof Value]>>>>;
  /** Finds the first CLI that has the named entry, if another table says so. Undefined: all supported ones have it. */
  findEntryVersion?(name: string): string | undefined;
  /** What to do instead, for the error that refuses the option. */
  hint?: string;

  // Where the option goes. Each row has at least one of these.
  argv?: Flag<Value> | WrittenFlags<Value>;
  initialize?: HandshakeField<Value> | ReadonlyArray<HandshakeField<Value>>;
  env?: Variable<Value>;
  /** Set if this process uses the option itself. */
  host?: true;
}

/**
 * A part, value or use that came later than its option. A row may give only the version if the name of the form says the
 * rest: `thinking.display` is a part that is set, `effort xhigh` is a value.
 */
export interface OptionForm<Value> {
  since: string;
  /** Whether these options use the form, if its name does not say so. */
  isUsed?(value: Value, options: Options): unknown;
  /** Like `older` of the whole option. */
  older?(value: Value): Value | undefined;
  /** Set if the code that writes the option also knows a form for older CLIs. Then no CLI is too old for this form. */
  hasOlderForm?: true;
}

/** A part that came later than the entries it belongs to. */
export interface EntryForm<Entry> {
  since: string;
  /** The part of the entry, if the name of the form does not say it. */
  part?: string;
  /** Whether the entry uses the form, if its name does not say so. */
  isUsed?(entry: Entry, part: unknown): unknown;
}

/** What a row gets when its option is written: only the given options, in a form that this version accepts. */
export interface WrittenOptions extends Options {
  version: PlannedVersion;
}

/** One flag of the command line. */
interface Flag<Value> {
  /** Its position on the command line, as in the official SDK. */
  order: number;
  flag: string;
  /**
   * What to write, if not the value itself. `true` writes the flag alone, a string or number is written after "=", a
   * list is joined with commas, an object becomes JSON. Nothing is written for undefined, false, '' and an empty list.
   */
  from?(value: Value, options: WrittenOptions): unknown;
}

/** Flags that `Flag` cannot describe. */
interface WrittenFlags<Value> {
  order: number;
  write(value: Value, options: WrittenOptions): Array<string | WrittenArgument>;
}

/** A flag with its value, and the option it comes from. */
export interface CliArgument {
  option: string;
  /** The words that the command line gets. */
  words: string[];
  /** What to do if it is too long: put the value into a file, repeat the flag, or leave it out (the handshake has it). */
  overflow?: 'file' | 'repeat' | 'omit';
  /**
   * Whether the value may hold a secret. Every user of the machine can read a command line. So `fitArguments` puts the
   * value into a file even if it is short.
   */
  isPrivate?: boolean;
  /** For a flag that may be repeated: the items that are joined with commas in `words`. */
  items?: readonly string[];
}

/** An argument as a row writes it. It belongs to the row's own option, unless it names another. */
export type WrittenArgument = Omit<CliArgument, 'option'> & { option?: string };

/** One field of the handshake; undefined leaves it out. */
interface HandshakeField<Value> {
  /** Its position among the fields, as in the official SDK. */
  order: number;
  /** Default: the name of the option. */
  field?: keyof InitializeRequest;
  /** What to write, if not the value itself. */
  from?(value: Value, options: WrittenOptions): unknown;
}

/** One variable of the CLI's environment; undefined leaves it out. */
interface Variable<Value> {
  variable: string;
  from(value: Value): string | undefined;
}

type Destination = 'argv' | 'initialize' | 'env' | 'host';

/** For an option whose name is not a field of the handshake. Its row must name the field. */
interface NamedFields {
  initialize?: { field: keyof InitializeRequest } | ReadonlyArray<{ field: keyof InitializeRequest }>;
}

/** The table: a row for every option, with at least one destination. */
export type OptionRows = {
  [Name in keyof Options]-?: OptionRow<NonNullable<Options[Name]>> &
    (Name extends keyof InitializeRequest ? unknown : NamedFields) &
    { [To in Destination]: Required<Pick<OptionRow<NonNullable<Options[Name]>>, To>> }[Destination];
};

/** A flag with items joined by commas. It is repeated when the word gets too long. */
export function writeListArgument(flag: string, items: readonly string[]): WrittenArgument {
  return { words: [`${flag}=${items.join(',')}`], overflow: 'repeat', items };
}

/** The older form of a switch. A switch that is off is left out, because a CLI without the switch does the same. */
export function unlessOff(isOn: boolean): true | undefined {
  return isOn || undefined;
}

/** An object with entries; undefined if it is empty, because that means the same. */
export function unlessEmpty<T extends object>(entries: T): T | undefined {
  return Object.keys(entries).length > 0 ? entries : undefined;
}
