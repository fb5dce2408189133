// The rows of the options that only Inboard has. The CLI gets none of them as an option.
import { findRedactProblem } from '../../util/redact-problem.js';
import type { OptionRows } from './option-row.js';
import { variables } from './process.js';
import {
  bytes,
  callback,
  either,
  fields,
  flag,
  milliseconds,
  oneOf,
  path,
  record,
  shape,
  anyText,
} from '../../util/option-shapes.js';

export const OWN = {
  extendEnv: { shape: variables, host: true },
  transport: {
    shape: {
      ...either(callback, fields('', { open: callback })),
      expected: 'a transport, or a function that creates one',
    },
    host: true,
  },
  claudeCodeVersion: { shape: anyText, host: true },
  handshakeTimeoutMs: { shape: milliseconds, host: true },
  idleTimeoutMs: { shape: milliseconds, host: true },
  maxLineBytes: { shape: bytes, host: true },
  maxBufferedBytes: { shape: bytes, host: true },
  closeGraceMs: { shape: milliseconds, host: true },
  killGraceMs: { shape: milliseconds, host: true },
  whenHostDies: {
    shape: {
      ...either(oneOf('kill'), fields('', { graceMs: milliseconds })),
      expected: "'kill', or { graceMs } with a finite number of milliseconds, 0 or more",
    },
    host: true,
  },
  toolContext: { shape: shape('anything', () => true), host: true },
  onWireLine: { shape: callback, host: true },
  trace: {
    shape: {
      ...either(path, fields('', { file: path }), fields('', { write: callback })),
      expected:
        'the path of a file or folder, an object with such a path as "file", or a sink with a "write" function',
    },
    findProblem: (trace) => {
      // A sink is an object of the user's. If it has a `redact`, that is something of its own.
      const redact: unknown = typeof trace === 'string' || 'write' in trace ? undefined : trace.redact;
      const problem = findRedactProblem(redact);
      return problem === undefined ? undefined : `cannot be used: ${problem}`;
    },
    host: true,
  },
  onToolEvent: { shape: callback, host: true },
  aroundTool: { shape: callback, host: true },
  onEnd: { shape: callback, host: true },
  streamText: { shape: flag, host: true },
  usage: { shape: record, host: true },
  hookFailure: { shape: oneOf('continue', 'refuse'), host: true },
  missingTools: { shape: oneOf('warn', 'error'), host: true },
  sdkServerRegistration: { shape: oneOf('initialize', 'argv'), host: true },
  onWarning: { shape: callback, host: true },
} satisfies Partial<OptionRows>;
