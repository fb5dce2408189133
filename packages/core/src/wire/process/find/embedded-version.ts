// Reads the version inside a CLI's own file with a few small reads, which takes less than a millisecond for 350 MB. Every
// bundle begins with comments that state its version. Native programs are made by Bun, which appends a list of bundles.
// CLI 2.1.150 and 2.1.325 have this layout on Linux, macOS and Windows. For any other layout the version is undefined.
import type { PartReader } from '../binary-format.js';

/** Every released CLI is larger. A smaller file only starts a CLI, and does not contain its version. */
export const LEAST_CLI_BYTES = 1024 * 1024;

const BANNER_BYTES = 2048;
const BANNER = /Anthropic[^]*?^\/\/ Version: (\d+\.\d+\.\d+(?:-[\w.]+)?)$/m;
const END_MARK = '\n---- Bun! ----\n';
/**
 * The size of the block before the mark. The block begins with two numbers: the length of everything that Bun appended,
 * and the offset of the list of bundles in there.
 */
const SUMMARY_BYTES = 32;
/** How much of the file's end is searched for the mark. Symbols or a signature of up to a megabyte may follow. */
const TAILS = [256 * 1024, 2 * 1024 * 1024];

/** The version at the head of a JavaScript bundle. */
export function readBundleVersion(readPart: PartReader): string | undefined {
  return readBanner(readPart, 0);
}

/** The version of the first bundle in a native program of this size. */
export function readProgramVersion(readPart: PartReader, size: number): string | undefined {
  for (const length of TAILS) {
    const start = Math.max(0, size - length);
    const bytes = readPart(start, length);
    const tail = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const mark = tail?.lastIndexOf(END_MARK) ?? -1;
    if (tail && mark >= SUMMARY_BYTES) {
      const summary = mark - SUMMARY_BYTES;
      const base = start + summary - Number(tail.readBigUInt64LE(summary));
      return readFirstBundle(readPart, base, base + tail.readUInt32LE(summary + 8));
    }
  }
  return undefined;
}

/** Each entry of the list begins with the offset and length of its name, then those of its content. */
function readFirstBundle(readPart: PartReader, base: number, list: number): string | undefined {
  if (base < 0) return undefined;
  const entry = readPart(list, 16);
  if (entry?.length !== 16) return undefined;
  return readBanner(readPart, base + Buffer.from(entry).readUInt32LE(8));
}

function readBanner(readPart: PartReader, position: number): string | undefined {
  const head = readPart(position, BANNER_BYTES);
  return head && BANNER.exec(Buffer.from(head).toString('latin1'))?.[1];
}
