// Advice about errors of control requests.
import type { Advice } from './advice.js';

export const CONTROL_ADVICE: Advice<'ControlRequestError' | 'ControlTimeoutError'> = {
  ControlRequestError: {
    CONTROL_REQUEST_FAILED: {
      when: 'The CLI refused a [control method](controls.md), or does not know it; `errorCode` is the code it gave.',
      advice: 'Read the message. If `versionNeeded` is set, update the CLI.',
    },
  },
  ControlTimeoutError: {
    CONTROL_TIMEOUT: {
      when: 'The CLI did not answer a control method within `timeoutMs`. The session continues.',
      advice: 'Ask again with a longer limit. The CLI may still carry the request out.',
      retryable: true,
    },
  },
};
