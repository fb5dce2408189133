// What a command of `inboard` is: its arguments, its options, and the function that carries it out. That function is
// loaded only when the command is used.
import type { Terminal } from './terminal/terminal.js';

/** One option of a command, as `util.parseArgs` takes it, with a line for the help. */
export interface CommandOption {
  type: 'boolean' | 'string';
  multiple?: boolean;
  short?: string;
  /** What stands for the value in the help, e.g. `<file>`. */
  value?: string;
  help: string;
  /** The options of functions that this one sets. In an error message, their names are replaced by the name of this option. */
  sets?: readonly string[];
}

/** A command line, parsed. */
export interface CommandInput {
  values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  /** The arguments: the words after the command's name that are not options. */
  args: readonly string[];
  terminal: Terminal;
  /** A text about options of functions, with the options of this command in place of those that they set. */
  inOwnWords: (text: string) => string;
}

/** Carries out a command; returns its exit code. */
export type RunCommand = (input: CommandInput) => Promise<number>;

/** A command: `inboard <name> <arguments> [options]`. */
export interface Command {
  summary: string;
  /** The arguments, as the help shows them. */
  usage: string;
  /** How many arguments the command takes. */
  args: { least: number; most: number };
  options: Readonly<Record<string, CommandOption>>;
  /** The help ends with these. The last one works as it stands beside the files of docs/command/; a test runs it. */
  examples: readonly string[];
  /** What the help says besides the summary. */
  details?: readonly string[];
  /** The functions that the command calls. In an error message, their names are replaced by "this command". */
  calls?: readonly string[];
  load(): Promise<RunCommand>;
}

/** The option `--json` of commands that print one document. */
export const JSON_OPTION: CommandOption = { type: 'boolean', help: 'print JSON and nothing else' };

/** The option `--cli` of commands that start the CLI. */
export const CLI_OPTION: CommandOption = {
  type: 'string',
  value: '<path>',
  help: 'the Claude CLI to use',
  sets: ['pathToClaudeCodeExecutable'],
};

/** What the help of a command says about the tools file it takes. */
export const TOOLS_FILE = [
  'A tools file is TypeScript or JavaScript that exports what createSdkMcpServer() or tool() returned, a list of',
  'tools, or an MCP server of the official libraries.',
];

/** The value of an option of the type `string` that is given at most once. */
export function readText(input: CommandInput, name: string): string | undefined {
  const value = input.values[name];
  return typeof value === 'string' ? value : undefined;
}

export function readSwitch(input: CommandInput, name: string): boolean {
  return input.values[name] === true;
}

/** The values of an option that may be given several times. */
export function readTexts(input: CommandInput, name: string): string[] {
  const value = input.values[name];
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
}
