// Advice about results that are not answers.
import type { Advice } from './advice.js';

const API_MAY_RECOVER = 'the API may answer the same request later (status 408, 409, 429 or 5xx, or none)';

export const RESULT_ADVICE: Advice<'ResultError' | 'RunError' | 'OutputValidationError'> = {
  ResultError: {
    ERROR_RESULT: {
      when: 'The last turn of a `query()` ended with an error result. The iteration throws after it has delivered that message.',
      advice: 'Read `result`, or use `run()`, whose `RunError` says what kind of failure it was.',
      retryable: API_MAY_RECOVER,
    },
  },
  RunError: {
    INTERRUPTED: {
      when: 'The turn was interrupted, by `interrupt()` or from outside.',
      advice: 'Send the next message: the session is still usable.',
    },
    MAX_TURNS: {
      when: 'The turn reached `maxTurns`.',
      advice: 'Raise `maxTurns`, or send another message to continue.',
    },
    BUDGET: {
      when: 'The turn reached `maxBudgetUsd`. In a cluster, it reached that of its agent, or a budget of `createCluster({ budgets })`, which the text names.',
      advice:
        'Raise `maxBudgetUsd`, or the budget that the text names, or give the model less to do. In a cluster, the next turn ends as `BUDGET_EXCEEDED` once a budget is used up.',
    },
    API_ERROR: {
      when: 'The API refused a request from the CLI or could not be reached: no login, a rate limit, an overload, a prompt that is too long.',
      advice: 'Read `outcome.apiErrorStatus` and the message. `npx inboard doctor` checks the login.',
      retryable: API_MAY_RECOVER,
    },
    STRUCTURED_OUTPUT: {
      when: 'The model did not produce output that fits the schema in any of the attempts that the CLI makes.',
      advice: 'Make the schema simpler, or describe its fields.',
    },
    STOPPED_BY_HOOK: {
      when: 'A hook ended the turn.',
      advice:
        'Look at your hooks and those in settings and plugins; `outcome.text` may say which one it was.',
    },
    BLOCKED: {
      when: 'The CLI stopped the turn at one of its own limits, such as a context window that fills up again at once.',
      advice: 'Read `outcome.reason`. Compact the conversation, or start a new session.',
    },
    EXECUTION_ERROR: {
      when: 'The turn failed inside the CLI.',
      advice: 'Read `outcome.errors`.',
    },
  },
  OutputValidationError: {
    OUTPUT_INVALID: {
      when: 'The turn succeeded without an answer that fits the schema in `output`, or the CLI gave up asking for one; `issues` says what does not fit.',
      advice: 'Ask again, or make the schema simpler. `text` is what the model said.',
      retryable: true,
    },
  },
};
