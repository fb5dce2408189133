// The CLI's command line: the flags of the given options, in the order of their rows. How long it may become is not
// decided here.
import { listGiven, type GivenOption } from '../rows/option-rows.js';
import { writeList, type CliArgument, type WriteContext, type WrittenArgument } from '../rows/option-row.js';
import { isTextList } from '../rows/shapes.js';

/** What the command line is made from. */
export interface ArgumentsInput extends WriteContext {
  /** The session a store gave back. */
  restoredId?: string;
}

const PROTOCOL: CliArgument = {
  option: 'protocol',
  words: ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
};

/** The flags for options that suit this version, in order. */
export function buildArguments({ restoredId, ...given }: ArgumentsInput): CliArgument[] {
  const options = restoredId === undefined ? given.options : { ...given.options, resume: restoredId };
  const context = { ...given, options };
  const flags = listGiven(options).flatMap((option) => writeFlags(option, context));
  return [PROTOCOL, ...flags.toSorted((a, b) => a.order - b.order).map(({ argument }) => argument)];
}

function writeFlags(
  { name, value, row: { argv } }: GivenOption,
  context: WriteContext,
): Array<{ order: number; argument: CliArgument }> {
  if (!argv) return [];
  const written =
    'write' in argv
      ? argv.write(value, context)
      : writeFlag(argv.flag, argv.from ? argv.from(value, context) : value);
  return written.map((argument) => ({
    order: argv.order,
    argument: { option: name, ...(typeof argument === 'string' ? { words: [argument] } : argument) },
  }));
}

function writeFlag(flag: string, content: unknown): Array<string | WrittenArgument> {
  if (content === undefined || content === false || content === '') return [];
  if (content === true) return [flag];
  if (isTextList(content)) return content.length === 0 ? [] : [writeList(flag, content)];
  if (typeof content === 'object') return [{ words: [flag, JSON.stringify(content)] }];
  return [`${flag}=${content as string | number}`];
}
