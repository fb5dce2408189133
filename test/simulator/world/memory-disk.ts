// A disk in memory with the functions of `node:fs` that the project uses. It can be full. All functions are synchronous: those that
// return promises are made of them elsewhere, so that a world decides when each comes true.
import { Buffer } from 'node:buffer';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

type Kind = 'file' | 'folder' | 'link';
interface FileNode {
  kind: Kind;
  data: Buffer;
  target: string;
  mode: number;
  ino: number;
  mtimeMs: number;
  birthtimeMs: number;
}
interface OpenFile {
  node: FileNode;
  path: string;
  position: number;
  isAppending: boolean;
  mayWrite: boolean;
}
type Encoding =
  BufferEncoding | { encoding?: BufferEncoding | null; flag?: string; mode?: number } | null | undefined;
type Named = string | URL | Buffer;

const FLAGS: Readonly<Record<number, string>> = { 0: 'r', 1: 'r+', 2: 'r+' };
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_TRUNC = 0o1000;
const O_APPEND = 0o2000;

export class MemoryDisk {
  readonly #nodes = new Map<string, FileNode>();
  readonly #open = new Map<number, OpenFile>();
  readonly #watchers = new Set<{ path: string; tell: (name: string) => void }>();
  readonly #now: () => number;
  readonly #isFull: () => boolean;
  #inodes = 0;
  #descriptors = 100;
  #names = 0;

  constructor(now: () => number, isFull: () => boolean) {
    this.#now = now;
    this.#isFull = isFull;
    for (const folder of ['/', '/tmp', '/home', '/desk'])
      this.#nodes.set(folder, this.#create('folder', 0o755));
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** The functions, by the names that `node:fs` has for them. */
  readonly functions = {
    openSync: (path: Named, flags: string | number = 'r', mode = 0o666): number => {
      const descriptor = (this.#descriptors += 1);
      this.#open.set(descriptor, this.#openFile(this.#path(path), flags, mode));
      return descriptor;
    },
    closeSync: (descriptor: number): void => {
      if (!this.#open.delete(descriptor)) throw fault('EBADF', 'close');
    },
    readSync: (descriptor: number, into: Uint8Array, ...rest: unknown[]): number => {
      const isObject = typeof rest[0] === 'object' && rest[0] !== null;
      const {
        offset = 0,
        length = into.byteLength - offset,
        position = null,
      } = (
        isObject ? rest[0] : { offset: rest[0] ?? undefined, length: rest[1] ?? undefined, position: rest[2] }
      ) as { offset?: number; length?: number; position?: number | bigint | null };
      const file = this.#file(descriptor);
      const from = position === null || Number(position) < 0 ? file.position : Number(position);
      const part = file.node.data.subarray(from, from + length);
      into.set(part, offset);
      if (position === null) file.position += part.length;
      return part.length;
    },
    writeSync: (descriptor: number, data: string | Uint8Array, ...rest: unknown[]): number => {
      const file = this.#file(descriptor);
      if (!file.mayWrite) throw fault('EBADF', 'write');
      const isText = typeof data === 'string';
      const offset = isText ? 0 : ((rest[0] as number | undefined) ?? 0);
      const bytes = isText
        ? Buffer.from(data)
        : Buffer.from(data.buffer, data.byteOffset, data.byteLength).subarray(
            offset,
            offset + ((rest[1] as number | undefined) ?? data.byteLength - offset),
          );
      const given = (isText ? rest[0] : rest[2]) as number | null | undefined;
      return this.#write(file, bytes, typeof given === 'number' ? given : undefined);
    },
    ftruncateSync: (descriptor: number, length = 0): void =>
      this.#truncate(this.#file(descriptor).node, length),
    fsyncSync: (): void => undefined,
    fdatasyncSync: (): void => undefined,
    fstatSync: (descriptor: number) => this.#stats(this.#file(descriptor).node),
    fchmodSync: (descriptor: number, mode: number): void => void (this.#file(descriptor).node.mode = mode),
    statSync: (path: Named, options?: { throwIfNoEntry?: boolean }) => this.#stat(path, true, options),
    lstatSync: (path: Named, options?: { throwIfNoEntry?: boolean }) => this.#stat(path, false, options),
    existsSync: (path: Named): boolean => this.#find(this.#path(path)) !== undefined,
    accessSync: (path: Named): void => void this.#need(this.#path(path), 'access'),
    readFileSync: (path: Named | number, options?: Encoding): string | Buffer => {
      const node = typeof path === 'number' ? this.#file(path).node : this.#need(this.#path(path), 'open');
      if (node.kind === 'folder') throw fault('EISDIR', 'read');
      const encoding = typeof options === 'string' ? options : options?.encoding;
      return encoding ? node.data.toString(encoding) : Buffer.from(node.data);
    },
    writeFileSync: (path: Named | number, data: string | Uint8Array, options?: Encoding): void => {
      const { flag = 'w', mode = 0o666 } = typeof options === 'object' && options ? options : {};
      const file = typeof path === 'number' ? this.#file(path) : this.#openFile(this.#path(path), flag, mode);
      this.#write(file, Buffer.from(data as string), undefined);
    },
    appendFileSync: (path: Named, data: string | Uint8Array, options?: Encoding): void => {
      const { mode = 0o666 } = typeof options === 'object' && options ? options : {};
      this.#write(this.#openFile(this.#path(path), 'a', mode), Buffer.from(data as string), undefined);
    },
    truncateSync: (path: Named, length = 0): void =>
      this.#truncate(this.#need(this.#path(path), 'open'), length),
    mkdirSync: (
      path: Named,
      options?: number | { recursive?: boolean; mode?: number },
    ): string | undefined => {
      const { recursive = false, mode = 0o777 } = typeof options === 'object' ? options : {};
      return this.#makeFolder(this.#path(path), recursive, mode);
    },
    mkdtempSync: (prefix: string): string => {
      const path = `${resolve(prefix)}${prefix.endsWith('/') ? '/' : ''}${String((this.#names += 1)).padStart(6, '0')}`;
      this.#makeFolder(path, false, 0o700);
      return path;
    },
    readdirSync: (path: Named, options?: { withFileTypes?: boolean; recursive?: boolean } | string) => {
      const { withFileTypes = false, recursive = false } = typeof options === 'object' ? options : {};
      const folder = this.#real(this.#path(path));
      if (this.#need(folder, 'scandir').kind !== 'folder') throw fault('ENOTDIR', 'scandir', folder);
      const names = this.#list(folder, recursive);
      return withFileTypes
        ? names.map((name) => {
            const { kind } = this.#nodes.get(join(folder, name)) as FileNode;
            const parentPath = join(folder, dirname(name));
            return {
              name: name.slice(name.lastIndexOf('/') + 1),
              parentPath,
              path: parentPath,
              ...kinds(kind),
            };
          })
        : names;
    },
    unlinkSync: (path: Named): void => {
      const at = this.#path(path);
      if (this.#need(at, 'unlink', false).kind === 'folder') throw fault('EISDIR', 'unlink', at);
      this.#remove(at);
    },
    rmdirSync: (path: Named): void => {
      const at = this.#path(path);
      this.#need(at, 'rmdir');
      if (this.#list(at, false).length > 0) throw fault('ENOTEMPTY', 'rmdir', at);
      this.#remove(at);
    },
    rmSync: (path: Named, options: { recursive?: boolean; force?: boolean } = {}): void => {
      const at = this.#path(path);
      const node = this.#find(at, false);
      if (!node) {
        if (options.force) return;
        throw fault('ENOENT', 'rm', at);
      }
      if (node.kind === 'folder' && !options.recursive) throw fault('ERR_FS_EISDIR', 'rm', at);
      this.#remove(at);
    },
    renameSync: (from: Named, to: Named): void => this.#rename(this.#path(from), this.#path(to)),
    linkSync: (from: Named, to: Named): void => {
      const at = this.#path(to);
      const node = this.#need(this.#path(from), 'link');
      if (this.#find(at, false)) throw fault('EEXIST', 'link', at);
      this.#place(at, node);
    },
    symlinkSync: (target: Named, path: Named): void => {
      const at = this.#path(path);
      if (this.#find(at, false)) throw fault('EEXIST', 'symlink', at);
      this.#place(at, { ...this.#create('link', 0o777), target: String(target) });
    },
    readlinkSync: (path: Named): string => {
      const at = this.#path(path);
      const node = this.#need(at, 'readlink', false);
      if (node.kind !== 'link') throw fault('EINVAL', 'readlink', at);
      return node.target;
    },
    realpathSync: (path: Named): string => {
      const at = this.#real(this.#path(path));
      this.#need(at, 'realpath');
      return at;
    },
    copyFileSync: (from: Named, to: Named): void => {
      const { data, mode } = this.#need(this.#path(from), 'copyfile');
      this.#write(this.#openFile(this.#path(to), 'w', mode), Buffer.from(data), undefined);
    },
    chmodSync: (path: Named, mode: number): void => void (this.#need(this.#path(path), 'chmod').mode = mode),
    utimesSync: (path: Named, _atime: number | Date, mtime: number | Date): void => {
      this.#need(this.#path(path), 'utime').mtimeMs =
        typeof mtime === 'number' ? mtime * 1000 : mtime.getTime();
    },
    statfsSync: () => ({
      bavail: this.#isFull() ? 0 : 1e6,
      bfree: 1e6,
      blocks: 2e6,
      bsize: 4096,
      type: 0,
      files: 1e6,
      ffree: 1e6,
    }),
  };

  /** Tells of changes of a file, or of the files of a folder, until the returned function is called. */
  watch(path: Named, tell: (name: string) => void): () => void {
    this.#need(this.#path(path), 'watch');
    const watcher = { path: this.#real(this.#path(path)), tell };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #changed(path: string): void {
    for (const watcher of this.#watchers)
      if (watcher.path === path || watcher.path === dirname(path))
        watcher.tell(path.slice(path.lastIndexOf('/') + 1));
  }

  #create(kind: Kind, mode: number): FileNode {
    const at = this.#now();
    const data = Buffer.alloc(0);
    return { kind, data, target: '', mode, ino: (this.#inodes += 1), mtimeMs: at, birthtimeMs: at };
  }

  #path(named: Named): string {
    const text = named instanceof URL ? fileURLToPath(named) : String(named);
    const whole = resolve('/desk', text);
    return this.#real(dirname(whole)) === dirname(whole)
      ? whole
      : join(this.#real(dirname(whole)), whole.slice(whole.lastIndexOf('/') + 1));
  }

  /** Where the links of a path lead. */
  #real(path: string): string {
    let at = '/';
    for (const part of path.split('/').filter(Boolean)) {
      at = join(at, part);
      const node = this.#nodes.get(at);
      if (node?.kind === 'link') at = this.#real(resolve(dirname(at), node.target));
    }
    return at;
  }

  #find(path: string, follows = true): FileNode | undefined {
    return this.#nodes.get(follows ? this.#real(path) : path);
  }

  #need(path: string, call: string, follows = true): FileNode {
    const node = this.#find(path, follows);
    if (!node) throw fault('ENOENT', call, path);
    return node;
  }

  #file(descriptor: number): OpenFile {
    const file = this.#open.get(descriptor);
    if (!file) throw fault('EBADF', 'read');
    return file;
  }

  #place(path: string, node: FileNode): void {
    const folder = this.#nodes.get(dirname(path));
    if (!folder) throw fault('ENOENT', 'open', path);
    if (folder.kind !== 'folder') throw fault('ENOTDIR', 'open', path);
    if (this.#isFull()) throw fault('ENOSPC', 'open', path);
    this.#nodes.set(path, node);
    folder.mtimeMs = this.#now();
    this.#changed(path);
  }

  #openFile(named: string, flags: string | number, mode: number): OpenFile {
    const path = this.#real(named);
    const isNumber = typeof flags === 'number';
    const text = isNumber ? (FLAGS[flags & 3] ?? 'r') : flags;
    const creates = isNumber ? (flags & O_CREAT) !== 0 : /^[wa]/.test(text);
    const isExclusive = isNumber ? (flags & O_EXCL) !== 0 : text.includes('x');
    const truncates = isNumber ? (flags & O_TRUNC) !== 0 : text.startsWith('w');
    const isAppending = isNumber ? (flags & O_APPEND) !== 0 : text.startsWith('a');
    const mayWrite = isNumber ? (flags & 3) !== 0 : text !== 'r' && text !== 'rs';
    let node = this.#nodes.get(path);
    if (node && isExclusive && creates) throw fault('EEXIST', 'open', path);
    if (node?.kind === 'folder' && mayWrite) throw fault('EISDIR', 'open', path);
    if (!node) {
      if (!creates) throw fault('ENOENT', 'open', path);
      node = this.#create('file', mode);
      this.#place(path, node);
    } else if (truncates) this.#truncate(node, 0);
    return { node, path, position: 0, isAppending, mayWrite };
  }

  #write(file: OpenFile, bytes: Buffer, at: number | undefined): number {
    const { node } = file;
    if (bytes.length > 0 && this.#isFull()) throw fault('ENOSPC', 'write', file.path);
    const from = file.isAppending ? node.data.length : (at ?? file.position);
    const data = Buffer.alloc(Math.max(node.data.length, from + bytes.length));
    node.data.copy(data);
    bytes.copy(data, from);
    node.data = data;
    node.mtimeMs = this.#now();
    if (at === undefined) file.position = from + bytes.length;
    this.#changed(file.path);
    return bytes.length;
  }

  #truncate(node: FileNode, length: number): void {
    const data = Buffer.alloc(length);
    node.data.copy(data);
    node.data = data;
    node.mtimeMs = this.#now();
  }

  #makeFolder(path: string, recursive: boolean, mode: number): string | undefined {
    const known = this.#find(path);
    if (known) {
      if (recursive && known.kind === 'folder') return undefined;
      throw fault('EEXIST', 'mkdir', path);
    }
    const above = recursive ? this.#makeFolder(dirname(path), true, mode) : undefined;
    this.#place(path, this.#create('folder', mode));
    return recursive ? (above ?? path) : undefined;
  }

  #list(folder: string, recursive: boolean): string[] {
    const before = folder === '/' ? '/' : `${folder}/`;
    const names: string[] = [];
    for (const path of this.#nodes.keys()) {
      if (!path.startsWith(before) || path === folder) continue;
      const name = path.slice(before.length);
      if (recursive || !name.includes('/')) names.push(name);
    }
    return names.sort();
  }

  #remove(path: string): void {
    for (const name of this.#list(path, true)) this.#nodes.delete(join(path, name));
    this.#nodes.delete(path);
    this.#changed(path);
  }

  #rename(from: string, to: string): void {
    const node = this.#need(from, 'rename', false);
    if (!this.#nodes.has(dirname(to))) throw fault('ENOENT', 'rename', to);
    const below = this.#list(from, true).map((name) => [name, this.#nodes.get(join(from, name))] as const);
    if (this.#nodes.get(to)?.kind === 'folder' && this.#list(to, false).length > 0)
      throw fault('ENOTEMPTY', 'rename', to);
    this.#remove(from);
    this.#remove(to);
    this.#nodes.set(to, node);
    for (const [name, each] of below) if (each) this.#nodes.set(join(to, name), each);
    this.#changed(to);
  }

  #stat(path: Named, follows: boolean, options: { throwIfNoEntry?: boolean; bigint?: boolean } = {}) {
    const at = this.#path(path);
    const node = this.#find(at, follows);
    if (node) return this.#stats(node);
    if (options.throwIfNoEntry === false) return undefined;
    throw fault('ENOENT', 'stat', at);
  }

  #stats({ kind, data, mode, ino, mtimeMs, birthtimeMs }: FileNode) {
    const times = { atimeMs: mtimeMs, mtimeMs, ctimeMs: mtimeMs, birthtimeMs };
    const dates = { atime: mtimeMs, mtime: mtimeMs, ctime: mtimeMs, birthtime: birthtimeMs };
    return {
      dev: 1,
      ino,
      mode,
      nlink: 1,
      uid: 1e3,
      gid: 1e3,
      rdev: 0,
      size: data.length,
      blksize: 4096,
      blocks: 1,
      ...times,
      ...Object.fromEntries(Object.entries(dates).map(([name, ms]) => [name, new Date(ms)])),
      ...kinds(kind),
    };
  }
}

const kinds = (kind: Kind) => ({
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'folder',
  isSymbolicLink: () => kind === 'link',
  isFIFO: () => false,
  isSocket: () => false,
  isBlockDevice: () => false,
  isCharacterDevice: () => false,
});

function fault(code: string, syscall: string, path = ''): Error {
  const message = `${code}: ${code}, ${syscall} '${path}'`;
  return Object.assign(new Error(message), { code, syscall, path, errno: -1 });
}
