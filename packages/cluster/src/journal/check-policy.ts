// Checks a retention policy. A misspelt name would keep data for ever, and a policy without names would do nothing.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkOptionNames } from '@inboard/core/util/check-option-names.js';
import { checkMs } from './check-names.js';
import { ageOf, RETENTION_KINDS, type RetentionPolicy } from './retention.js';

/** Throws an InvalidOptionsError for a policy that cannot be followed. `others` are further names that it may have. */
export function checkPolicy(policy: RetentionPolicy, others: readonly string[] = []): void {
  const names = RETENTION_KINDS.map((kind) => `${kind}Ms`);
  checkOptionNames('a retention policy', policy, [...names, ...others]);
  const given = RETENTION_KINDS.filter((kind) => ageOf(policy ?? {}, kind) !== undefined);
  for (const kind of given) checkMs(`${kind}Ms`, ageOf(policy, kind));
  if (given.length === 0)
    throw new InvalidOptionsError(
      names,
      `A retention policy names what to remove: at least one of ${names.join(', ')}`,
    );
}
