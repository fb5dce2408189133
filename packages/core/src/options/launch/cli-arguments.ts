// Builds the CLI's command line: the flags of the given options, in the order that their rows define. `fit-arguments`
// limits its length.
import type { Options } from '../options.js';
import { listGiven, type GivenOption } from '../rows/option-rows.js';
import {
  writeListArgument,
  type CliArgument,
  type WrittenOptions,
  type WrittenArgument,
} from '../rows/option-row.js';
import { isTextList } from '../../util/option-shapes.js';
import type { PlannedVersion } from '../supported-versions.js';

/** The input of the command line. */
export interface ArgumentsInput {
  /** Only the given options, in a form that this version accepts. */
  options: Options;
  version: PlannedVersion;
  /** The id of a session that was restored from a session store. */
  restoredId?: string;
}

const PROTOCOL: CliArgument = {
  option: 'protocol',
  words: ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
};

/** The flags for options that suit this version, in order. */
export function buildArguments({ options, version, restoredId }: ArgumentsInput): CliArgument[] {
  const written: WrittenOptions = { ...options, version, resume: restoredId ?? options.resume };
  const flags = listGiven(written).flatMap((option) => writeFlags(option, written));
  return [PROTOCOL, ...flags.toSorted((a, b) => a.order - b.order).map(({ argument }) => argument)];
}

/** The flags of one option, with their positions. */
export function writeFlags(
  { name, value, row: { argv } }: GivenOption,
  options: WrittenOptions,
): Array<{ order: number; argument: CliArgument }> {
  if (!argv) return [];
  const written =
    'write' in argv
      ? argv.write(value, options)
      : writeFlag(argv.flag, argv.from ? argv.from(value, options) : value);
  return written.map((argument) => ({
    order: argv.order,
    argument: { option: name, ...(typeof argument === 'string' ? { words: [argument] } : argument) },
  }));
}

function writeFlag(flag: string, content: unknown): Array<string | WrittenArgument> {
  if (content === undefined || content === false || content === '') return [];
  if (content === true) return [flag];
  if (isTextList(content)) return content.length === 0 ? [] : [writeListArgument(flag, content)];
  if (typeof content === 'object') return [{ words: [flag, JSON.stringify(content)] }];
  return [`${flag}=${content as string | number}`];
}
