// Makes the object behind `createCalls()`. It checks the arguments at once, and loads what reads records on first use.
import { InvalidOptionsError } from '../../errors.js';
import { checkProjectKey, checkSessionId } from '../../record/history/arguments.js';
import { checkOptionNames, optionNamesOf } from '../../util/check-option-names.js';
import { loadPart } from '../../util/load-part.js';
import { checkShape, filledText, path, record } from '../../util/option-shapes.js';
import type { PendingValue } from './complete-call.js';
import type {
  Calls,
  CallsOptions,
  CompleteOptions,
  PendingChange,
  WatchCallsOptions,
} from './calls.js';

const NAMES = optionNamesOf<CallsOptions>({
  sessionStore: true,
  projectKey: true,
  dir: true,
  env: true,
  sessionId: true,
});
const COMPLETE_NAMES = optionNamesOf<CompleteOptions>({ by: true });
const WATCH_NAMES = optionNamesOf<WatchCallsOptions>({ signal: true });

const load = () => loadPart(() => import('./stored-calls.js'));

/**
 * Returns the pending calls of the sessions in a session store, or on this machine: calls whose handler returned
 * `pending()`. Any process may list and complete them. Throws an InvalidOptionsError for wrong options.
 */
export function createCalls(options: CallsOptions = {}): Calls {
  checkOptionNames('createCalls()', options, NAMES);
  const { sessionStore, sessionId, dir, env } = options;
  checkShape('sessionStore', sessionStore, record);
  checkShape('dir', dir, path);
  checkShape('env', env, record);
  checkProjectKey(options);
  if (sessionId !== undefined) checkSessionId(sessionId);
  if (sessionStore && sessionId === undefined && !sessionStore.listSessions && !sessionStore.listSessionSummaries)
    throw new InvalidOptionsError(
      ['sessionStore', 'sessionId'],
      'This sessionStore cannot list its sessions: it has no method "listSessions". Give "sessionId" to createCalls(), or a store with that method.',
    );
  return openCalls({ ...options });
}

/** The methods are own properties, so that a program can copy the object and replace one of them. */
function openCalls(options: CallsOptions): Calls {
  const settle = async (
    method: string,
    callKey: string,
    outcome: PendingValue,
    given: CompleteOptions | undefined,
  ): Promise<void> => {
    checkOptionNames(`${method}()`, given, COMPLETE_NAMES);
    const by = given?.by;
    checkShape('by', by, filledText);
    if (typeof callKey !== 'string' || callKey === '')
      throw new InvalidOptionsError(['callKey'], `${method}() takes the key of a call, which is a text`);
    await (await load()).completeStored(options, { callKey, by }, outcome);
  };
  return {
    complete: async (callKey, value, given) => await settle('complete', callKey, { value }, given),
    fail: async (callKey, error, given) => {
      if (!(error instanceof Error) && (typeof error !== 'string' || error === ''))
        throw new InvalidOptionsError(['error'], 'fail() takes the key of a call, and an Error or a text');
      await settle('fail', callKey, { error }, given);
    },
    list: async () => await (await load()).listPending(options),
    watch: (given) => watchCalls(options, given),
  };
}

async function* watchCalls(
  options: CallsOptions,
  given: WatchCallsOptions | undefined,
): AsyncGenerator<PendingChange, undefined> {
  checkOptionNames('watch()', given, WATCH_NAMES);
  const signal = given?.signal;
  if (signal?.aborted === true) return;
  const { watchPending } = await load();
  yield* watchPending(options, signal);
}
