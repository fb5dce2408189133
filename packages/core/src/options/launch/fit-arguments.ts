// Keeps the command line within the limits of the system. A value that is too long goes into a file, is spread over
// several flags, or is left out because the handshake has it, too.
import { LaunchError } from '../../errors.js';
import type { CliArgument } from '../rows/option-row.js';

/** A value for a private file (mode 0600) that must exist as long as the CLI runs. */
export interface PlannedFile {
  name: string;
  content: string;
  /** Puts the path of the written file into the command line. */
  place(path: string): void;
}

/** A command line within the limits. It is complete once every file has been placed. */
export interface FittedArguments {
  args: string[];
  files: PlannedFile[];
}

// Linux accepts no single argument of 128 KiB or more.
const LONGEST_WORD = 100 * 1024;
// Windows accepts 32767 characters in total. macOS accepts 1 MiB for the arguments and the environment together.
const LONGEST_LINE = { win32: 30_000, other: 768 * 1024 };

/** The command line for a CLI on this machine. Throws `LaunchError` ARGUMENTS_TOO_LONG if it cannot be made short enough. */
export function fitArguments({
  given,
  platform,
}: {
  given: readonly CliArgument[];
  platform: NodeJS.Platform;
}): FittedArguments {
  const longestLine = platform === 'win32' ? LONGEST_LINE.win32 : LONGEST_LINE.other;
  const lengthOf = (piece: Piece): number => measure(piece.words, platform);
  const total = (): number => pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  let pieces: Piece[] = given.flatMap((piece) =>
    piece.isPrivate || hasLongWord(piece) ? shorten(piece) : [piece],
  );
  while (total() > longestLine) {
    const movable = pieces
      .filter((piece) => piece.overflow === 'file' || piece.overflow === 'omit')
      .toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
    if (!movable) throw tooLong(findLongestOption(pieces), total());
    pieces = pieces.flatMap((piece) => (piece === movable ? shorten(piece) : [piece]));
  }
  return place(pieces);
}

/**
 * The command line for a CLI on a machine whose files and limits are not known. No value goes into a file. `large` names
 * the options that may be too long for that machine.
 */
export function joinArguments(given: readonly CliArgument[]): FittedArguments & { large: string[] } {
  const pieces = given.flatMap((piece) => {
    const canShrink = piece.overflow === 'repeat' || piece.overflow === 'omit';
    return canShrink && hasLongWord(piece) ? shorten(piece) : [piece];
  });
  const large = pieces.filter(hasLongWord).map((piece) => piece.option);
  return { args: pieces.flatMap((piece) => piece.words), files: [], large };
}

interface Piece extends CliArgument {
  /** The content of the file whose path becomes the last word. */
  content?: string;
}

function shorten(piece: Piece): Piece[] {
  if (piece.overflow === 'omit') return [];
  if (piece.overflow === 'repeat') return repeat(piece);
  const [name = '', content = ''] = piece.words;
  if (piece.overflow === undefined) throw tooLong(piece.option, content.length || name.length);
  // The path is not known yet, so its length is estimated generously.
  return [{ option: piece.option, words: [name, 'x'.repeat(160)], content }];
}

function repeat({ option, words, items = [] }: Piece): Piece[] {
  const [word = ''] = words;
  const prefix = word.slice(0, word.indexOf('=') + 1);
  const groups: string[][] = [];
  let room = 0;
  for (const item of items) {
    const length = Buffer.byteLength(item) + 1;
    if (groups.length === 0 || length > room) {
      groups.push([]);
      room = LONGEST_WORD - prefix.length;
    }
    groups.at(-1)?.push(item);
    room -= length;
  }
  const parts = groups.map((group) => ({ option, words: [prefix + group.join(',')] }));
  if (parts.some(hasLongWord)) throw tooLong(option, word.length);
  return parts;
}

function place(pieces: readonly Piece[]): FittedArguments {
  const args: string[] = [];
  const files: PlannedFile[] = [];
  for (const { option, words, content } of pieces) {
    args.push(...words);
    if (content === undefined) continue;
    const index = args.length - 1;
    files.push({ name: `${option}.json`, content, place: (path) => (args[index] = path) });
  }
  return { args, files };
}

function findLongestOption(pieces: readonly Piece[]): string {
  const lengths = new Map<string, number>();
  for (const { option, words } of pieces)
    lengths.set(option, (lengths.get(option) ?? 0) + words.join(' ').length);
  return [...lengths].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'extraArgs';
}

function hasLongWord({ words }: Pick<Piece, 'words'>): boolean {
  return words.some((word) => Buffer.byteLength(word) > LONGEST_WORD);
}

// On Windows the words form one line, with quotes around words and escapes before quotes. On other systems each word
// takes its bytes, a final NUL and a pointer.
function measure(words: readonly string[], platform: NodeJS.Platform): number {
  const lengthOf = (word: string): number =>
    platform === 'win32'
      ? word.length + (word.match(/["\\]/g)?.length ?? 0) + 3
      : Buffer.byteLength(word) + 9;
  return words.reduce((total, word) => total + lengthOf(word), 0);
}

function tooLong(option: string, length: number): LaunchError {
  return new LaunchError(
    'ARGUMENTS_TOO_LONG',
    `The option "${option}" makes the command line of the CLI longer (${length} characters) than the system ` +
      'allows, and there is no other way to pass it. Shorten it.',
  );
}
