// Says when each error is thrown and what to do then, with one row for each code. docs/errors.md is made from it. No
// entry point loads it. The type checker refuses a code without a row, and a row without a code.
import type { ErrorGuide } from './guide/advice.js';
import { ANSWER_ADVICE } from './guide/answer-advice.js';
import { CLUSTER_ADVICE } from './guide/cluster-advice.js';
import { CONTROL_ADVICE } from './guide/control-advice.js';
import { LAUNCH_ADVICE } from './guide/launch-advice.js';
import { LOAD_ADVICE } from './guide/load-advice.js';
import { OPTION_ADVICE } from './guide/option-advice.js';
import { OTHER_ADVICE } from './guide/other-advice.js';
import { RECORD_ADVICE } from './guide/record-advice.js';
import { RESULT_ADVICE } from './guide/result-advice.js';
import { SERVING_ADVICE } from './guide/serving-advice.js';
import { SESSION_ADVICE } from './guide/session-advice.js';

/** By class and code: when the error is thrown, what to do, and whether to try again. */
export const ERROR_GUIDE: ErrorGuide = {
  ...OPTION_ADVICE,
  ...LAUNCH_ADVICE,
  ...LOAD_ADVICE,
  ...SESSION_ADVICE,
  ...CONTROL_ADVICE,
  ...RESULT_ADVICE,
  ...ANSWER_ADVICE,
  ...RECORD_ADVICE,
  ...SERVING_ADVICE,
  ...CLUSTER_ADVICE,
  ...OTHER_ADVICE,
};
