// What a row of the option table can say. Rows are data: they are read only for options that were given.
import type { InitializeRequest } from '../../wire/protocol/control/initialize.js';
import type { InboardWarning } from '../check/warning.js';
import type { Options } from '../options.js';
import type { PlannedVersion } from '../supported-versions.js';
import type { Shape } from '../../util/option-shapes.js';

/** Everything known about one option. */
export interface OptionRow<Value> {
  shape: Shape;
  /** Values known here; others are passed on with a warning, as the CLI may know more. */
  known?: readonly string[];
  /** The end of a sentence that starts with the option's name, when a value of the right shape is still wrong. */
  findProblem?(value: Value): string | undefined;
  /** What is allowed and probably not meant. */
  findWarnings?(value: Value): InboardWarning[];

  /** The first CLI that has the option; omitted, all supported ones have it. */
  since?: string;
  /** What says the same to a CLI before `since`; undefined leaves the option out. What has no older form is refused. */
  older?(value: Value): Value | undefined;
  /** Parts, values and uses of the option that came later, by their name in docs/cli-versions.md. */
  forms?: Readonly<Record<string, string | OptionForm<Value>>>;
  /** The same for the entries of an option that has named ones. */
  entryForms?: Readonly<Record<string, string | EntryForm<NonNullable<Value[keyof Value]>>>>;
  /** Entries whose minimum version another table knows. */
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
 * What came later than the option it belongs to. Only a version is enough where the name tells what it is about:
 * `thinking.display` a part that is set, `effort xhigh` a value.
 */
export interface OptionForm<Value> {
  since: string;
  /** Whether it is used, where the name does not tell. */
  isUsed?(value: Value, options: Options): unknown;
  /** As for the whole option. */
  older?(value: Value): Value | undefined;
  /** Every use has an older form, chosen where the option is written, so that nothing is refused. */
  hasOlderForm?: true;
}

/** What came later than the entries it belongs to. */
export interface EntryForm<Entry> {
  since: string;
  /** The part of the entry, where the name does not tell. */
  part?: string;
  /** Whether it is used, where the name does not tell. */
  isUsed?(entry: Entry, part: unknown): unknown;
}

/** What rows are written from: only options that were given, in a form this version takes. */
export interface WrittenOptions extends Options {
  version: PlannedVersion;
}

/** One flag of the command line. */
interface Flag<Value> {
  /** Its position on the command line, which is the official SDK's. */
  order: number;
  flag: string;
  /**
   * What to write, if not the value itself: `true` is the flag alone, a string or number stands behind "=", a list is
   * joined with commas, an object is JSON. Nothing is written for undefined, false, '' and an empty list.
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
  /** One word of the command line each. */
  words: string[];
  /** What to do when it is too long: put the value into a file, repeat the flag, or leave it to the handshake. */
  overflow?: 'file' | 'repeat' | 'omit';
  /** It may hold a secret, and every user of the machine can read a command line: put it into a file however short it is. */
  isPrivate?: boolean;
  /** What the one word joins with commas, for a flag that may be repeated. */
  items?: readonly string[];
}

/** The option is the row's own unless another is named. */
export type WrittenArgument = Omit<CliArgument, 'option'> & { option?: string };

/** One field of the handshake; undefined leaves it out. */
interface HandshakeField<Value> {
  /** Its position among the fields, which is the official SDK's. */
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

/** The table: a row for every option, with at least one destination. */
export type OptionRows = {
  [Name in keyof Options]-?: OptionRow<NonNullable<Options[Name]>> &
    { [To in Destination]: Required<Pick<OptionRow<NonNullable<Options[Name]>>, To>> }[Destination];
};

/** A flag with items joined by commas; repeated when the word gets too long. */
export function writeList(flag: string, items: readonly string[]): WrittenArgument {
  return { words: [`${flag}=${items.join(',')}`], overflow: 'repeat', items };
}

/** An older form: a switch that is off says what a CLI without it does anyway. */
export function unlessOff(isOn: boolean): true | undefined {
  return isOn || undefined;
}

/** An older form: nothing in it says nothing. */
export function unlessEmpty<T extends object>(entries: T): T | undefined {
  return Object.keys(entries).length > 0 ? entries : undefined;
}
