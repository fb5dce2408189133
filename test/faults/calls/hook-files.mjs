// Looks over the shoulder of a built package that keeps its records in files: what it writes, and when it starts a CLI, is seen in the
// functions of Node that it calls. Nothing in the package knows of it. A wrong implementation is made here, too: by changing what is written.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';

const POINT_OF = {
  asked: 'question stored',
  answered: 'answer noted',
  begun: 'begin recorded',
  ended: 'result recorded',
};

/** Watches the starts of a CLI; gives its process id while it runs. */
export function hookCli(points) {
  const { spawn } = childProcess;
  let pid;
  childProcess.spawn = (command, args, options) => {
    // Neither the guardian nor a question for its version.
    const isCli = Array.isArray(args) && args.some((word) => word.includes('stream-json'));
    if (!isCli) return spawn(command, args, options);
    points.reach('CLI started', 'before');
    const child = spawn(command, args, options);
    pid = child.pid;
    points.note('cli', { cli: child.pid });
    child.once('exit', () => (pid = undefined));
    watchFirstMessage(points, child.stdout);
    points.reach('CLI started', 'after');
    return child;
  };
  syncBuiltinESMExports();
  return { pid: () => pid };
}

function watchFirstMessage(points, stdout) {
  const emit = stdout.emit.bind(stdout);
  let isFirst = true;
  stdout.emit = (name, ...args) => {
    const isMessage = isFirst && name === 'data' && /"type":"(system|assistant|user)"/.test(String(args[0]));
    if (!isMessage) return emit(name, ...args);
    isFirst = false;
    points.reach('first message', 'before');
    const isHeard = emit(name, ...args);
    points.reach('first message', 'after');
    return isHeard;
  };
}

/** Watches records and transcripts in files. `wrong` changes what is written: lines of records, and entries of a transcript. */
export function hookFiles(points, { sessionId, wrong = {} }) {
  hookLines(points, wrong.loses ?? (() => false));
  hookClaim(points, wrong.claim);
  hookEntries(points, sessionId, wrong.entries ?? ((text) => text));
  syncBuiltinESMExports();
}

/** Each fact is a line of its own, in one write. */
function hookLines(points, loses) {
  const { writeSync } = fs;
  fs.writeSync = (descriptor, data, ...rest) => {
    const fact = readFact(data);
    if (fact?.input?.call !== undefined) points.keys.set(fact.callKey, fact.input.call);
    const point = POINT_OF[fact?.type];
    if (point === undefined) return writeSync(descriptor, data, ...rest);
    const call = points.keys.get(fact.callKey);
    points.reach(point, 'before', call);
    // One that loses a line says that all is well.
    const written = loses(fact) ? data.length : writeSync(descriptor, data, ...rest);
    points.reach(point, 'after', call);
    return written;
  };
}

function readFact(data) {
  const text = Buffer.isBuffer(data) ? data.toString() : '';
  if (!text.startsWith('\n{"v":')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A claim is a file with a number that is linked to its place. */
function hookClaim(points, change) {
  const { link } = promises;
  let isFirst = true;
  promises.link = async (from, to) => {
    if (basename(dirname(String(to))) !== 'inboard-calls.claim') return await link(from, to);
    const isTaken = isFirst;
    isFirst = false;
    if (isTaken) points.reach('claim taken', 'before');
    if (change) fs.writeFileSync(from, change(fs.readFileSync(from, 'utf8')));
    await link(from, to);
    if (isTaken) points.reach('claim taken', 'after');
  };
}

/** What is appended to the transcript of the session by this process. */
function hookEntries(points, sessionId, change) {
  const { open } = promises;
  promises.open = async (path, ...rest) => {
    const file = await open(path, ...rest);
    const isAppended =
      basename(String(path)) === `${sessionId}.jsonl` && (rest[0] & fs.constants.O_APPEND) !== 0;
    if (!isAppended) return file;
    const writeFile = file.writeFile.bind(file);
    file.writeFile = async (data, ...more) => {
      points.reach('entry written', 'before');
      if (points.isHere('entry written', 'torn')) {
        await writeFile(String(data).slice(0, -Math.ceil(String(data).length / 3)), ...more);
        points.reach('entry written', 'torn');
      }
      await writeFile(change(String(data)), ...more);
      points.reach('entry written', 'after');
    };
    return file;
  };
}
