// Makes a method of each row in the control table, for a prototype or for a plain object. A method keeps to the caller's
// limits. Most methods turn their parameters into one request, and the answer into the result that the row describes.
import { ControlRequestError } from '../../errors.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { ControlRow } from './control-row.js';
import type { ControlTarget } from './control-target.js';
import { CONTROLS, UNLISTED_CONTROLS } from './control-table.js';
import { isUnknownControl, refuseField } from './control-versions.js';
import type { ControlOptions, Controls, UnlistedControls } from './controls.js';
import { limitControl } from './limit-control.js';

type Options = ControlOptions & Readonly<Record<string, unknown>>;
type TargetOf<Self> = (self: Self) => ControlTarget;

/**
 * Puts the methods of `Controls`, and with `unlisted` those of `UnlistedControls`, on a prototype as its own members,
 * because programs look for them there. Each call finds its target through the receiver. The receiver may be a proxy
 * or an object that inherits from the real one, so the target must be kept under a symbol, not in a `#field`.
 */
export function installControls<Self extends object>(
  prototype: Self,
  targetOf: TargetOf<Self>,
  { unlisted = false } = {},
): void {
  const methods = { ...(unlisted && methodsOf(UNLISTED_CONTROLS, targetOf)), ...listedMethods(targetOf) };
  // The methods are not enumerable, like those of a class.
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
}

/** The controls of one target as a plain object. */
export function createControls(target: ControlTarget): Controls {
  return listedMethods(() => target) as Controls;
}

/** The unlisted controls of one target as a plain object. */
export function createUnlistedControls(target: Pick<ControlTarget, 'request'>): UnlistedControls {
  return methodsOf(UNLISTED_CONTROLS, () => target as ControlTarget) as UnlistedControls;
}

function listedMethods<Self>(targetOf: TargetOf<Self>): object {
  return {
    ...methodsOf(CONTROLS, targetOf),
    request(this: Self, subtype: string, fields: object, options?: ControlOptions): Promise<unknown> {
      const target = targetOf(this);
      const request = { subtype, ...fields };
      return settleQuietly(limitControl(subtype, options, (signal) => send(target, request, signal)));
    },
  };
}

function methodsOf<Self>(rows: object, targetOf: TargetOf<Self>): object {
  const methods = {};
  for (const [name, row] of Object.entries(rows) as [string, ControlRow][]) {
    // The key of the literal gives the method its name.
    Object.assign(methods, {
      [name](this: Self, ...given: unknown[]): Promise<unknown> {
        return callControl(row, targetOf(this), given);
      },
    });
  }
  return methods;
}

function callControl(row: ControlRow, target: ControlTarget, given: unknown[]): Promise<unknown> {
  // A method that sends nothing waits for the handshake, so an error about its limits names that request.
  const { subtype = 'initialize', fields = [] } = row;
  const options = (given[fields.length] ?? {}) as Options;
  const run = async (signal: AbortSignal | undefined): Promise<unknown> => {
    if (row.call) return await row.call(target, signal && { signal }, ...given.slice(0, fields.length));
    if (row.needs) await checkNeeds({ subtype, needs: row.needs }, target, options);
    try {
      const answer = await send(target, { subtype, ...fieldsOf(row, given, options) }, signal);
      return row.reply ? row.reply(answer) : answer;
    } catch (error) {
      const isRefused = error instanceof ControlRequestError && !isUnknownControl(error);
      if (isRefused && row.refused !== undefined) return row.refused;
      throw error;
    }
  };
  return settleQuietly(limitControl(subtype, options, run));
}

function fieldsOf(row: ControlRow, given: unknown[], options: Options): object {
  const fields: Record<string, unknown> = {};
  for (const [index, field] of (row.fields ?? []).entries()) fields[field] = given[index];
  for (const [option, field] of Object.entries(row.options ?? {})) fields[field] = options[option];
  return row.complete ? row.complete(fields) : fields;
}

/** Refuses an option that the CLI would drop silently. */
async function checkNeeds(
  { subtype, needs }: { subtype: string; needs: Readonly<Record<string, string>> },
  target: ControlTarget,
  options: Options,
): Promise<void> {
  for (const [field, capability] of Object.entries(needs)) {
    if (!options[field]) continue;
    await target.initialized;
    if (!target.capabilities.has(capability))
      throw refuseField({ subtype, field, capability }, target.capabilities.known.version);
  }
}

function send(target: ControlTarget, request: { subtype: string }, signal?: AbortSignal): Promise<unknown> {
  return target.request(withoutUndefined(request), signal && { signal });
}
