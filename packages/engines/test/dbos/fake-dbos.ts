// DBOS as far as a workflow sees it: steps that are retried at once, messages that a test has put there, and what the workflow told.
import type { DbosLibrary } from '../../src/dbos/dbos-library.js';

interface FakeDbos {
  library: DbosLibrary;
  /** What `recv` returns, in order. Then it rejects as in a workflow that was cancelled. */
  messages: unknown[];
  /** What happened, in order. */
  log: unknown[];
  cancel: AbortController;
  /** Whether another execution has the workflow. */
  isTakenOver: boolean;
  /** Whether a person has stopped the turn. */
  isStopped: boolean;
  /** Called when an attempt looks whether a person has stopped the turn. */
  onLook: () => void;
  /** Called when the workflow waits for a message. */
  onWait: () => void;
}

function cancelledError(): Error {
  return Object.assign(new Error('cancelled'), { name: 'DBOSWorkflowCancelledError' });
}

export function createFakeDbos(): FakeDbos {
  const cancel = new AbortController();
  const fake = {
    messages: [] as unknown[],
    log: [] as unknown[],
    cancel,
    isTakenOver: false,
    isStopped: false,
    onLook: (): void => {},
    onWait: (): void => {},
  };
  const calls = {
    workflowID: 'workflow-1',
    stepStatus: { cancelSignal: cancel.signal },
    runStep: async (
      work: () => Promise<unknown>,
      { maxAttempts, shouldRetry }: { maxAttempts: number; shouldRetry: (error: unknown) => boolean },
    ) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work();
        } catch (error) {
          if (attempt === maxAttempts || !shouldRetry(error)) throw error;
        }
      }
    },
    setEvent: async (_key: string, value: unknown) => void fake.log.push({ told: value }),
    recv: async (_topic: string, { timeoutSeconds }: { timeoutSeconds: number }) => {
      fake.log.push({ waits: timeoutSeconds });
      fake.onWait();
      if (fake.messages.length === 0) throw cancelledError();
      return fake.messages.shift();
    },
    getWorkflowStatus: async (id: string) => {
      fake.onLook();
      return fake.isStopped && id === 'workflow-1/stop' ? { workflowID: id, status: 'SUCCESS' } : null;
    },
    sleep: async (ms: number) => void fake.log.push({ sleeps: ms }),
  };
  const assertStillOwnsWorkflow = async (id: string): Promise<void> => {
    if (fake.isTakenOver) throw new Error(`${id} is taken over`);
  };
  // Only what a workflow calls.
  const library = { DBOS: calls, assertStillOwnsWorkflow } as unknown as DbosLibrary;
  return Object.assign(fake, { library });
}
