// What a command of `inboard` is: its words, its options, and the function that does it, loaded when used.
import type { Terminal } from './terminal/terminal.js';

/** One option of a command, as `util.parseArgs` takes it, with a line for the help. */
export interface CommandOption {
  type: 'boolean' | 'string';
  multiple?: boolean;
  short?: string;
  /** What stands for the value in the help, e.g. `<file>`. */
  value?: string;
  help: string;
}

/** The values of options and the words besides them. */
export interface CommandInput {
  values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  words: readonly string[];
  terminal: Terminal;
}

/** Does a command and gives its exit code. */
export type RunCommand = (input: CommandInput) => Promise<number>;

/** A command: `inboard <name> <words> [options]`. */
export interface Command {
  summary: string;
  /** The words after the name, as the help shows them. */
  usage: string;
  /** How many words it takes. */
  words: { least: number; most: number };
  options: Readonly<Record<string, CommandOption>>;
  examples: readonly string[];
  /** More than the summary: what it does and gives. */
  details?: readonly string[];
  load(): Promise<RunCommand>;
}

/** The value of an option that is a text. */
export function readText(input: CommandInput, name: string): string | undefined {
  const value = input.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether a switch is set. */
export function readSwitch(input: CommandInput, name: string): boolean {
  return input.values[name] === true;
}

/** The values of an option that may be given several times. */
export function readTexts(input: CommandInput, name: string): string[] {
  const value = input.values[name];
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
}
