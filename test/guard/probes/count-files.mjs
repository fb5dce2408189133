// What this process does to files, by Node's own functions: loaded before the package, so that it has no others. Reading is told
// apart, and pipes to the CLI are no files.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { O_WRONLY, O_RDWR, O_CREAT, O_APPEND } = fs.constants;
/** Functions that change what is on disk by a path, whichever way they are called. */
const CHANGES =
  'writeFile appendFile mkdir mkdtemp rm rmdir unlink rename link symlink copyFile cp truncate chmod utimes createWriteStream'.split(
    ' ',
  );
const WRITES = ['write', 'writev', 'writeFile', 'appendFile', 'truncate'];

/** Everything since the start, in order: `{ what: 'open' | 'write' | 'close' | 'change', path, call }`. */
export const fileEvents = [];
const opened = new Map();
/** Inside one of these others may be called: what the outer one does is counted once. */
let depth = 0;

function note(what, path, call) {
  if (depth === 0) fileEvents.push({ what, path: String(path), call });
}

function wrap(target, name, before, after = (result) => result) {
  const original = target[name];
  if (typeof original !== 'function') return;
  target[name] = function (...given) {
    before(given);
    depth += 1;
    let result;
    try {
      result = original.apply(this, given);
    } finally {
      depth -= 1;
    }
    return after(result, given);
  };
}

const mayWrite = (flags = 'r') =>
  typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR | O_CREAT | O_APPEND)) !== 0 : /[wa+]/.test(flags);
const pathOf = (descriptor) => opened.get(descriptor) ?? `descriptor ${descriptor}`;
const remember = (descriptor, [path, flags]) => {
  if (mayWrite(flags)) opened.set(descriptor, path);
  return descriptor;
};
const noteOpen =
  (call) =>
  ([path, flags]) => {
    if (mayWrite(flags)) note('open', path, call);
  };

wrap(fs, 'openSync', noteOpen('openSync'), remember);
wrap(
  fs,
  'open',
  (given) => {
    noteOpen('open')(given);
    const done = given.at(-1);
    const [path, flags] = given;
    if (typeof done === 'function')
      given[given.length - 1] = (error, descriptor) => {
        if (!error) remember(descriptor, [path, typeof flags === 'function' ? 'r' : flags]);
        done(error, descriptor);
      };
  },
  () => undefined,
);
for (const name of ['closeSync', 'close']) {
  wrap(fs, name, ([descriptor]) => {
    if (opened.delete(descriptor)) note('close', descriptor, name);
  });
}
for (const name of ['writeSync', 'writevSync', 'write', 'writev', 'ftruncateSync', 'ftruncate'])
  wrap(fs, name, ([descriptor]) => note('write', pathOf(descriptor), name));
for (const name of CHANGES) {
  wrap(fs, name, ([path]) => note('change', path, name));
  wrap(fs, `${name}Sync`, ([path]) => note('change', path, `${name}Sync`));
  wrap(fs.promises, name, ([path]) => note('change', path, `promises.${name}`));
}
// A file of `promises.open` has methods of its own, which all such files share.
const handle = await fs.promises.open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(handle);
const paths = new WeakMap();
for (const name of WRITES) {
  const original = prototype[name];
  prototype[name] = function (...given) {
    note('write', paths.get(this) ?? 'a file', `FileHandle.${name}`);
    return original.apply(this, given);
  };
}
await handle.close();
const openFile = fs.promises.open;
fs.promises.open = async (path, flags, ...rest) => {
  if (mayWrite(flags)) note('open', path, 'promises.open');
  const file = await openFile(path, flags, ...rest);
  paths.set(file, String(path));
  return file;
};
syncBuiltinESMExports();
