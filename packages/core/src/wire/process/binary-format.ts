// Reads from a file's first bytes which kind of program it is and for which machine. So the error for a program of
// another platform can say why it does not start; the system only says `ENOENT` or `Exec format error`.

/** What the first bytes show. `arch` and `loader` are set only if they are known. */
export interface BinaryFormat {
  /** `script` is a file with a `#!` line. `unknown` is any other file, and one that cannot be read. */
  format: 'elf' | 'mach-o' | 'pe' | 'script' | 'unknown';
  /** The processor as Node names it; undefined for a universal binary or another processor. */
  arch?: 'x64' | 'arm64';
  /** The program that loads an ELF file, such as `/lib/ld-musl-x86_64.so.1`. Statically linked programs have none. */
  loader?: string;
}

const HEAD_BYTES = 4096;
const PROGRAM_INTERPRETER = 3;

/** Reads a part of the file; undefined when it cannot be read. */
export type PartReader = (position: number, length: number) => Uint8Array | undefined;

/** The program format of a file. Of a huge file only some kilobytes are read. */
export function readBinaryFormat(readPart: PartReader): BinaryFormat {
  const bytes = readPart(0, HEAD_BYTES);
  if (bytes === undefined || bytes.length < 4) return { format: 'unknown' };
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head[0] === 0x23 && head[1] === 0x21) return { format: 'script' };
  try {
    switch (head.readUInt32BE(0)) {
      case 0x7f454c46:
        return readElf(head, readPart);
      case 0xcffaedfe:
        return { format: 'mach-o', arch: MACH_PROCESSORS.get(head.readUInt32LE(4)) };
      case 0xcafebabe:
      case 0xcafebabf:
        return { format: 'mach-o' };
      default:
        return head[0] === 0x4d && head[1] === 0x5a ? readPortable(head) : { format: 'unknown' };
    }
  } catch (error) {
    // The header points beyond the bytes that were read, so the format is not known here.
    if (error instanceof RangeError) return { format: 'unknown' };
    throw error;
  }
}

const MACH_PROCESSORS = new Map<number, BinaryFormat['arch']>([
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
]);
const PORTABLE_PROCESSORS = new Map<number, BinaryFormat['arch']>([
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
]);
const ELF_PROCESSORS = new Map<number, BinaryFormat['arch']>([
  [62, 'x64'],
  [183, 'arm64'],
]);

function readElf(head: Buffer, readPart: PartReader): BinaryFormat {
  const is64 = head[4] === 2;
  const isLittle = head[5] === 1;
  // All builds of the CLI are 64-bit little-endian. For other programs only the format is reported.
  if (!is64 || !isLittle) return { format: 'elf' };
  const format: BinaryFormat = { format: 'elf', arch: ELF_PROCESSORS.get(head.readUInt16LE(18)) };
  const tableStart = Number(head.readBigUInt64LE(32));
  const entrySize = head.readUInt16LE(54);
  const entries = head.readUInt16LE(56);
  for (let index = 0; index < entries; index += 1) {
    const entry = tableStart + index * entrySize;
    if (entry + 40 > head.length) break;
    if (head.readUInt32LE(entry) !== PROGRAM_INTERPRETER) continue;
    const position = Number(head.readBigUInt64LE(entry + 8));
    const length = Math.min(Number(head.readBigUInt64LE(entry + 32)), 1024);
    const text = readPart(position, length);
    if (text) format.loader = Buffer.from(text).toString('utf8').replace(/\0.*$/s, '');
    break;
  }
  return format;
}

function readPortable(head: Buffer): BinaryFormat {
  const start = head.readUInt32LE(0x3c);
  if (start + 6 > head.length || head.readUInt32LE(start) !== 0x00004550) return { format: 'pe' };
  return { format: 'pe', arch: PORTABLE_PROCESSORS.get(head.readUInt16LE(start + 4)) };
}
