// Gives the turns of a lost process to others. DBOS runs a workflow only in the version that began it. One that is put back into the
// queue, where no process has this version, would let the next turns of its conversation go first. So it is left as it is.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { DbosCalls, DbosWorkflowStatus } from './dbos-library.js';

/** How many workflows an error names. */
const MOST_NAMED = 5;

/**
 * Puts the turns of an executor back into the queue, and returns how many there were. Rejects if there are turns of a version that may
 * have no process: another than that of this process, or, in a client, several.
 */
export async function recoverTurns(
  of: string,
  calls: DbosCalls,
  queue: string,
  executorId: string,
): Promise<number> {
  const left = await calls.listWorkflows({
    executorId,
    queueName: queue,
    status: 'PENDING',
    loadInput: false,
  });
  const own = calls.applicationVersion;
  const versions = new Set(left.map(({ applicationVersion }) => applicationVersion));
  const others = left.filter(({ applicationVersion: version }) =>
    own === undefined ? versions.size > 1 : version !== undefined && version !== own,
  );
  const ids = left.filter((each) => !others.includes(each)).map(({ workflowID }) => workflowID);
  if (ids.length > 0) await calls.resumeWorkflows(ids, { queueName: queue });
  if (others.length > 0) throw refuse(of, executorId, own, others, ids.length);
  return ids.length;
}

function refuse(
  of: string,
  executorId: string,
  own: string | undefined,
  others: readonly DbosWorkflowStatus[],
  recovered: number,
): InvalidOptionsError {
  const named = others
    .slice(0, MOST_NAMED)
    .map(({ workflowID, applicationVersion = 'unknown' }) => `"${workflowID}" (${applicationVersion})`);
  if (others.length > MOST_NAMED) named.push(`${others.length - MOST_NAMED} more`);
  const why =
    own === undefined
      ? 'belong to different versions of the application'
      : `belong to other versions of the application than this process (${own})`;
  return new InvalidOptionsError(
    ['executorId'],
    `${of}: recover("${executorId}") put ${recovered} turns back into the queue, and left ${others.length} that ${why}, because DBOS runs a turn only in the version that began it: ${named.join(', ')}. Call recover in a process of each version.`,
  );
}
