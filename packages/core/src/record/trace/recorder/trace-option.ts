// Reads the option `trace` and the variable INBOARD_TRACE. If either asks for a trace, the transport is recorded.
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
   * The path of a file or a folder. An existing file is replaced. If another session of this process is writing it, a
   * number is added to the name. In a folder, each session gets its own file.
   */
  file: string;
  /** What to hide in addition to the secrets that are always hidden. With `false`, nothing at all is hidden. */
  redact?: RedactOptions | false | undefined;
  /** Frames with more bytes are cut, and cannot be replayed. Default 32 MiB. */
  maxFrameBytes?: number | undefined;
  /** The size of a file in bytes after which no more frames are recorded. Default 1 GiB. */
  maxBytes?: number | undefined;
  /**
   * How many milliseconds a frame may wait in memory. A host that is killed loses these frames. With 0, each frame is
   * written at once. Default 50.
   */
  flushMs?: number | undefined;
}

/** A value of the option `trace`: a file or folder, an object with settings, or a sink that gets each redacted event. */
export type TraceOption = string | TraceOptions | TraceSink;

/** A transport to record, and the facts about its session. */
export interface TraceRequest {
  transport: Transport;
  option: TraceOption | undefined;
  /** The environment of the CLI. Its secrets are hidden wherever they occur. Its INBOARD_TRACE is ignored. */
  env: Readonly<Record<string, string | undefined>>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  claudeCodeVersion: string | undefined;
  cwd: string | undefined;
  /** Messages for calls that were completed before this CLI was started. */
  completed?: readonly object[] | undefined;
  /** Called at most once, when the recording fails. The session continues. */
  onWarning: (error: Error) => void;
}

const MAX_FRAME_BYTES = 32 * 1024 * 1024;
const MAX_BYTES = 1024 * 1024 * 1024;
const FLUSH_MS = 50;

/**
 * Returns the transport, recorded if the option or the variable asks for it. A failing recording does not end the
 * session.
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
            // The variable applies to all sessions, and no session may overwrite the file of another.
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
