// The type of a row in the option table. Rows are data, and are read only for options that were given.
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
  /** Warns of a value that is allowed and probably not meant. */
  findWarnings?(value: Value): InboardWarning[];

  /** The first CLI that has the option. Default: all supported ones have it. */
  since?: string;
  /** The form for a CLI before `since`; undefined leaves the option out. An option without an older form is refused. */
  older?(value: Value): Value | undefined;
  /** Parts, values and uses of the option that came later, by their name in docs/cli-versions.md. */
  forms?: Readonly<Record<string, string | OptionForm<Value>>>;
  /** The same for parts of entries, if the option is an object of named entries, such as `agents`. */
  entryForms?: Readonly<Record<string, string | EntryForm<NonNullable<Value[keyof Value]>>>>;
  /** Finds the first CLI that has the named entry, if another table says so. Undefined: all supported ones have it. */
  findEntryVersion?(name: string): string | undefined;
  /** What to do instead, for the error that refuses the option. */
  hint?: string;

  // Where it goes: at least one of these.
  argv?: Flag<Value> | WrittenFlags<Value>;
  initialize?: HandshakeField<Value> | ReadonlyArray<HandshakeField<Value>>;
  env?: Variable<Value>;
  /** Used in this process; the CLI does not see it, or not as an option. */
  host?: true;
}

/**
 * A part, value or use that came later than its option. A version alone is enough where the name says what it is about:
 * `thinking.display` is a part that is set, `effort xhigh` is a value.
 */
export interface OptionForm<Value> {
  since: string;
  /** Whether it is used, where the name does not say. */
  isUsed?(value: Value, options: Options): unknown;
  /** As for the whole option. */
  older?(value: Value): Value | undefined;
  /** Set if the code that writes the option has a form for older CLIs too. No use of it is refused then. */
  hasOlderForm?: true;
}

/** A part that came later than the entries it belongs to. */
export interface EntryForm<Entry> {
  since: string;
  /** The part of the entry, where the name does not say. */
  part?: string;
  /** Whether it is used, where the name does not say. */
  isUsed?(entry: Entry, part: unknown): unknown;
}

/** The input for writing rows: only the given options, in a form that this version takes. */
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

/** Flags of any other form. */
interface WrittenFlags<Value> {
  order: number;
  write(value: Value, options: WrittenOptions): Array<string | WrittenArgument>;
}

/** A flag with its value, and the option it comes from. */
export interface CliArgument {
  option: string;
  /** The words of the command line, one each. */
  words: string[];
  /** What to do when it is too long: put the value into a file, repeat the flag, or leave it to the handshake. */
  overflow?: 'file' | 'repeat' | 'omit';
  /**
   * Whether it may hold a secret. Every user of the machine can read a command line, so it goes into a file even if it
   * is short.
   */
  isPrivate?: boolean;
  /** For a flag that may be repeated: the items that are joined with commas in `words`. */
  items?: readonly string[];
}

/** An argument whose option is the row's own, unless it names another. */
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

/** If the handshake has no field with the option's name, the row must name the field. */
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

/** An older form for a switch: off means what a CLI without the switch does anyway. */
export function unlessOff(isOn: boolean): true | undefined {
  return isOn || undefined;
}

/** An older form for entries: an empty object means the same as none. */
export function unlessEmpty<T extends object>(entries: T): T | undefined {
  return Object.keys(entries).length > 0 ? entries : undefined;
}
