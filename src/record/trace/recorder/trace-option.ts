// What the option `trace` and the variable INBOARD_TRACE may say, made one thing: a recorder, or none.
import { statSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join, parse, resolve } from 'node:path';
import type { Transport } from '../../../wire/transport/transport.js';
import { recordTransport } from './record-transport.js';
import { Recorder, type LineSink, type TraceSink } from './recorder.js';
import { createRedactor, listSecretValues, type RedactOptions } from './redact.js';
import { TraceWriter } from './trace-writer.js';

/** How a session is recorded. */
export interface TraceOptions {
  /** The file; one that is there is replaced, and one that another session is writing gets a neighbour with a number. A folder gets a file for each session. */
  file: string;
  /** What is hidden beside what always is; `false` hides nothing at all. */
  redact?: RedactOptions | false | undefined;
  /** Frames of more bytes are cut, and cannot be replayed. Default 32 MiB. */
  maxFrameBytes?: number | undefined;
  /** Bytes of a file after which no frames are recorded any more. Default 1 GiB. */
  maxBytes?: number | undefined;
  /** Milliseconds a frame may wait in memory, which is what a killed host loses; 0 writes each frame at once. Default 50. */
  flushMs?: number | undefined;
}

/** What the option `trace` takes: a file or folder, the same with settings, or a sink that gets each event after redaction. */
export type TraceOption = string | TraceOptions | TraceSink;

/** What a recording needs to know. */
export interface TraceRequest {
  transport: Transport;
  option: TraceOption | undefined;
  /** The environment of the CLI: its secrets are hidden wherever they turn up, its INBOARD_TRACE is not looked at. */
  env: Readonly<Record<string, string | undefined>>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  claudeCodeVersion: string | undefined;
  cwd: string | undefined;
  /** Told at most once, when the recording fails; the session goes on. */
  onWarning: (error: Error) => void;
}

const MAX_FRAME_BYTES = 32 * 1024 * 1024;
const MAX_BYTES = 1024 * 1024 * 1024;
const FLUSH_MS = 50;
/** Bytes a slow disk may owe before frames are left out. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** The transport, recorded if anybody asked for that. Never throws: a session without its trace is better than none. */
export function traceTransport(request: TraceRequest): Transport {
  const { transport, hostEnv } = request;
  const fromEnvironment = hostEnv['INBOARD_TRACE'];
  const option = request.option ?? (fromEnvironment === '' ? undefined : fromEnvironment);
  if (option === undefined) return transport;
  const settings = readOption(option);
  const secrets = [...listSecretValues(request.env), ...listSecretValues(hostEnv)];
  const { redact = {} } = settings;
  const recorder: Recorder = new Recorder({
    sink:
      'file' in settings
        ? new FileSink({
            // Of several sessions one variable asks for, none may overwrite another.
            choosePlace: () => chooseFile(settings.file, request.option === undefined),
            onFailed: (cause) => recorder.fail(cause),
          })
        : settings.sink,
    redactor: createRedactor(
      redact === false ? false : { ...redact, values: [...secrets, ...(redact.values ?? [])] },
    ),
    maxFrameBytes: settings.maxFrameBytes ?? MAX_FRAME_BYTES,
    maxBytes: settings.maxBytes ?? MAX_BYTES,
    flushMs: settings.flushMs ?? FLUSH_MS,
    onFailed: request.onWarning,
  });
  return recordTransport(transport, recorder, request);
}

type Settings = Omit<TraceOptions, 'file'> & ({ file: string } | { sink: TraceSink });

function readOption(option: TraceOption): Settings {
  if (typeof option === 'string') return { file: option };
  // A sink is told at once: whoever watches live does not want to see the past.
  if ('write' in option) return { sink: option, maxBytes: Infinity, flushMs: 0 };
  return option;
}

interface Place {
  path: string;
  release: () => void;
}

interface FileSinkOptions {
  choosePlace: () => Place;
  onFailed: (cause: unknown) => void;
}

const filesInUse = new Set<string>();

/** A path nobody here is writing to; `isOnce` also avoids those that were written before. */
function chooseFile(given: string, isOnce: boolean): Place {
  const path = isFolder(given) ? join(given, nameFile()) : given;
  const { dir, name, ext } = parse(resolve(path));
  let free = resolve(path);
  for (let count = 2; filesInUse.has(free); count += 1) free = join(dir, `${name}-${count}${ext}`);
  filesInUse.add(free);
  return {
    path: free,
    release: () => {
      if (!isOnce) filesInUse.delete(free);
    },
  };
}

function isFolder(path: string): boolean {
  if (/[\\/]$/.test(path)) return true;
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function nameFile(): string {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  return `inboard-${time}-${process.pid}-${randomBytes(3).toString('hex')}.jsonl`;
}

/** A file that is chosen and opened with its first line. */
class FileSink implements LineSink {
  readonly #options: FileSinkOptions;
  #place: Place | undefined;
  #writer: TraceWriter | undefined;
  #batch = '';

  constructor(options: FileSinkOptions) {
    this.#options = options;
  }

  writeLine(line: string): void {
    this.#batch += `${line}\n`;
  }

  flush(isLast: boolean): void {
    this.#place ??= this.#options.choosePlace();
    this.#writer ??= new TraceWriter(this.#place.path, this.#options.onFailed);
    const batch = this.#batch;
    this.#batch = '';
    if (batch !== '') this.#writer.write(batch);
    if (isLast) this.#writer.flush();
  }

  isBehind(): boolean {
    return (this.#writer?.pendingBytes ?? 0) + this.#batch.length > MAX_PENDING_BYTES;
  }

  close(): void {
    this.#place?.release();
    this.#writer?.close();
  }
}
