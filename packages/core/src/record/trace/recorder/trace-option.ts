// Reads the option `trace` and the variable INBOARD_TRACE, and wraps the transport in a recorder if either asks for one.
import type { Transport } from '../../../wire/transport/transport.js';
import { recordTransport } from './record-transport.js';
import { Recorder } from './recorder.js';
import { createRedactor, type RedactOptions } from './redact.js';
import { listSecretValues } from './secret-variables.js';
import { FileSink } from './file-sink.js';
import { findTraceOption } from './find-trace-option.js';
import type { TraceSink } from './trace-sink.js';

/** How a session is recorded. */
export interface TraceOptions {
  /**
   * The file. An existing one is replaced; while another session is writing it, a number is added to the name. In a
   * folder, each session gets its own file.
   */
  file: string;
  /** What to hide in addition to what is always hidden; `false` hides nothing at all. */
  redact?: RedactOptions | false | undefined;
  /** Frames with more bytes are cut, and cannot be replayed. Default 32 MiB. */
  maxFrameBytes?: number | undefined;
  /** The size of a file in bytes after which no more frames are recorded. Default 1 GiB. */
  maxBytes?: number | undefined;
  /**
   * Milliseconds that a frame may wait in memory; a killed host loses these frames. 0 writes each frame at once.
   * Default 50.
   */
  flushMs?: number | undefined;
}

/** What the option `trace` takes: a file or folder, the same with settings, or a sink that gets each event after redaction. */
export type TraceOption = string | TraceOptions | TraceSink;

/** A transport to record, and the facts about its session. */
export interface TraceRequest {
  transport: Transport;
  option: TraceOption | undefined;
  /** The environment of the CLI. Its secrets are hidden wherever they occur; its INBOARD_TRACE is ignored. */
  env: Readonly<Record<string, string | undefined>>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  claudeCodeVersion: string | undefined;
  cwd: string | undefined;
  /** Messages for calls that were completed before this CLI was started. */
  completed?: readonly object[] | undefined;
  /** Called at most once, when the recording fails; the session continues. */
  onWarning: (error: Error) => void;
}

const MAX_FRAME_BYTES = 32 * 1024 * 1024;
const MAX_BYTES = 1024 * 1024 * 1024;
const FLUSH_MS = 50;

/**
 * The transport, recorded if the option or the variable asks for it. Never throws: a session without a trace is better
 * than none.
 */
export function traceTransport(request: TraceRequest): Transport {
  const { transport, hostEnv } = request;
  const option = findTraceOption(request.option, hostEnv);
  if (option === undefined) return transport;
  const settings = readOption(option);
  const secrets = [...listSecretValues(request.env), ...listSecretValues(hostEnv)];
  const { redact = {} } = settings;
  const recorder: Recorder = new Recorder({
    sink:
      'file' in settings
        ? new FileSink({
            path: settings.file,
            // One variable applies to all sessions, and no session may overwrite another's file.
            isShared: request.option === undefined,
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
  // A sink gets each event at once, because a person may watch it live.
  if ('write' in option) return { sink: option, maxBytes: Infinity, flushMs: 0 };
  return option;
}
