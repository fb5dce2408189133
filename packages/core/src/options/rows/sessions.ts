// The rows of the options that say which session is continued, and where sessions are kept.
import type { OptionRows } from './option-row.js';
import { callback, fields, flag, milliseconds, oneOf, shape, anyText } from '../../util/option-shapes.js';

export const SESSIONS = {
  resume: { shape: anyText, argv: { order: 140, flag: '--resume' } },
  continue: {
    shape: flag,
    argv: {
      order: 130,
      flag: '--continue',
      // With a session store, the latest session of the store is resumed by its id. With the flag, the CLI would take the
      // latest session on its own disk.
      from: (isOn, { sessionStore }) => isOn && !sessionStore,
    },
  },
  forkSession: { shape: flag, argv: { order: 290, flag: '--fork-session' } },
  sessionId: {
    shape: shape(
      'a UUID, such as crypto.randomUUID() returns',
      (value) =>
        typeof value === 'string' &&
        (value === '' || /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value)),
    ),
    argv: { order: 320, flag: '--session-id' },
  },
  resumeSessionAt: { shape: anyText, argv: { order: 300, flag: '--resume-session-at' } },
  resumeDropsTurn: { shape: anyText, since: '2.1.223', argv: { order: 310, flag: '--resume-drops-turn' } },
  persistSession: {
    shape: flag,
    argv: { order: 330, flag: '--no-session-persistence', from: (isOn) => !isOn },
  },
  sessionStore: {
    shape: fields('an object with the methods append and load', { append: callback, load: callback }),
    since: '2.1.97',
    argv: { order: 340, flag: '--session-mirror', from: () => true },
  },
  projectKey: {
    shape: shape('a string that is not empty', (value) => typeof value === 'string' && value !== ''),
    host: true,
  },
  sessionStoreFlush: { shape: oneOf('batched', 'eager'), host: true },
  loadTimeoutMs: { shape: milliseconds, host: true },
  enableFileCheckpointing: {
    shape: flag,
    env: {
      variable: 'CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING',
      from: (isOn) => (isOn ? 'true' : undefined),
    },
  },
} satisfies Partial<OptionRows>;
