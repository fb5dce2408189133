// An operating system made of a list of files, to walk Windows and macOS paths on any machine.
import { posix, win32 } from 'node:path';
import type { OperatingSystem } from '../../packages/core/src/wire/process/operating-system.js';

/** A file; without `bytes` or `text` it is empty but may claim a size. */
export interface FakeFile {
  text?: string;
  bytes?: Uint8Array;
  size?: number;
  /** Where a symbolic link leads. */
  link?: string;
  isExecutable?: boolean;
  isReadable?: boolean;
}

/** What the fake is made of. */
export interface FakeSystemOptions {
  platform: NodeJS.Platform;
  arch?: string;
  isMusl?: boolean;
  cwd?: string;
  env?: Record<string, string | undefined>;
  files?: Record<string, FakeFile>;
  folders?: readonly string[];
}

/** The fake, and how often file contents were read from it. */
export interface FakeSystem extends OperatingSystem {
  readonly files: Map<string, FakeFile>;
  readCount(): number;
}

/** Creates the fake; folders of listed files exist by themselves. */
export function createFakeSystem(options: FakeSystemOptions): FakeSystem {
  const path = options.platform === 'win32' ? win32 : posix;
  const files = new Map(
    Object.entries(options.files ?? {}).map(([name, file]) => [path.normalize(name), file]),
  );
  const folders = new Set(options.folders);
  let reads = 0;

  // Resolves links in any part of a path, as the real call does.
  function realPath(name: string): string {
    const normal = path.normalize(name);
    for (const [link, { link: target }] of files) {
      if (target !== undefined && (normal === link || normal.startsWith(link + path.sep))) {
        return realPath(path.resolve(path.dirname(link), target) + normal.slice(link.length));
      }
    }
    return normal;
  }

  function isFolder(name: string): boolean {
    const prefix = name.endsWith(path.sep) ? name : name + path.sep;
    return folders.has(name) || [...files.keys(), ...folders].some((file) => file.startsWith(prefix));
  }

  function contentOf(name: string): Uint8Array | undefined {
    const file = files.get(realPath(name));
    if (!file) return undefined;
    reads += 1;
    return file.bytes ?? Buffer.from(file.text ?? '');
  }

  return {
    platform: options.platform,
    arch: options.arch ?? 'x64',
    path,
    env: options.env ?? {},
    files,
    readCount: () => reads,
    isMusl: () => options.isMusl ?? false,
    workingDirectory: () => options.cwd,
    statFile(name) {
      const real = realPath(name);
      const file = files.get(real);
      if (file) {
        const size = file.size ?? file.bytes?.length ?? Buffer.byteLength(file.text ?? '');
        return { kind: 'file', size, mtimeMs: 1 };
      }
      return isFolder(real) ? { kind: 'directory', size: 0, mtimeMs: 1 } : undefined;
    },
    canExecute: (name) => files.get(realPath(name))?.isExecutable ?? true,
    canRead: (name) => files.get(realPath(name))?.isReadable ?? true,
    readText(name) {
      const content = contentOf(name);
      return content && Buffer.from(content).toString('utf8');
    },
    readBytes: (name, position, length) => contentOf(name)?.subarray(position, position + length),
    listFolder(name) {
      const prefix = realPath(name) + path.sep;
      const inside = [...files.keys(), ...folders].filter((file) => file.startsWith(prefix));
      return [...new Set(inside.map((file) => file.slice(prefix.length).split(path.sep)[0] ?? ''))];
    },
    realPath(name) {
      const real = realPath(name);
      return files.has(real) || isFolder(real) ? real : undefined;
    },
  };
}

/** The size of a real program, for files that only claim it. */
export const PROGRAM_SIZE = 200 * 1024 * 1024;

/** The first bytes of a 64-bit ELF program. */
export function createElfHead(arch: 'x64' | 'arm64', loader?: string): Uint8Array {
  const head = Buffer.alloc(4096);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  head.writeUInt16LE(arch === 'x64' ? 62 : 183, 18);
  head.writeBigUInt64LE(64n, 32);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(2, 56);
  head.writeUInt32LE(6, 64);
  if (loader !== undefined) {
    head.writeUInt32LE(3, 120);
    head.writeBigUInt64LE(512n, 128);
    head.writeBigUInt64LE(BigInt(loader.length + 1), 152);
    head.write(loader, 512);
  }
  return head;
}

/** The first bytes of a Mach-O program. */
export function createMachHead(arch: 'x64' | 'arm64'): Uint8Array {
  const head = Buffer.alloc(64);
  head.writeUInt32BE(0xcffaedfe, 0);
  head.writeUInt32LE(arch === 'x64' ? 0x01000007 : 0x0100000c, 4);
  return head;
}

/** The first bytes of a Windows program. */
export function createPortableHead(arch: 'x64' | 'arm64'): Uint8Array {
  const head = Buffer.alloc(512);
  head.write('MZ', 0);
  head.writeUInt32LE(128, 0x3c);
  head.write('PE\0\0', 128);
  head.writeUInt16LE(arch === 'x64' ? 0x8664 : 0xaa64, 132);
  return head;
}
