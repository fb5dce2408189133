// Makes methods of the rows in the control table and puts them on a prototype or an object: the parameters become
// one request, under the caller's limits, and the answer what the row says.
import { ControlRequestError } from '../../errors.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { ControlRow, ControlTarget } from './control-row.js';
import { CONTROLS, UNLISTED_CONTROLS } from './control-table.js';
import { isUnknownControl, refuseField } from './control-versions.js';
import type { ControlOptions, Controls, UnlistedControls } from './controls.js';
import { limitControl } from './limit-control.js';

type Options = ControlOptions & Readonly<Record<string, unknown>>;
/** Gives what the methods of an object are sent to. */
type TargetOf<Self> = (self: Self) => ControlTarget;

/**
 * Puts all methods of `Controls` on a prototype, as its own, where programs look for them. They find their target
 * through the receiver, which may be a proxy or an heir: keep it under a symbol, not in a `#field`.
 */
export function installControls<Self extends object>(prototype: Self, targetOf: TargetOf<Self>): void {
  install(prototype, controlMethods(targetOf));
}

/** The same for `UnlistedControls`. */
export function installUnlistedControls<Self extends object>(
  prototype: Self,
  targetOf: TargetOf<Self>,
): void {
  install(prototype, methodsOf(UNLISTED_CONTROLS, targetOf));
}

/** The controls of one target, as an object of their own. */
export function createControls(target: ControlTarget): Controls {
  return controlMethods(() => target) as unknown as Controls;
}

/** The same for `UnlistedControls`. */
export function createUnlistedControls(target: Pick<ControlTarget, 'request'>): UnlistedControls {
  return methodsOf(UNLISTED_CONTROLS, () => target as ControlTarget) as unknown as UnlistedControls;
}

function controlMethods<Self>(targetOf: TargetOf<Self>): object {
  return {
    ...methodsOf(CONTROLS, targetOf),
    request(this: Self, subtype: string, fields: object = {}, options?: ControlOptions): Promise<unknown> {
      const target = targetOf(this);
      return settleQuietly(
        limitControl(subtype, options, (signal) => send(target, { subtype, ...fields }, signal)),
      );
    },
  };
}

function methodsOf<Self>(rows: object, targetOf: TargetOf<Self>): object {
  const methods: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows) as [string, ControlRow][]) {
    // The computed key gives the function its name.
    const { [name]: method } = {
      [name](this: Self, ...given: unknown[]): Promise<unknown> {
        return callControl(row, targetOf(this), given);
      },
    };
    methods[name] = method;
  }
  return methods;
}

/** Like the methods of a class, they are not enumerable. */
function install(prototype: object, methods: object): void {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
}

/** One call of a method. */
interface Call {
  row: ControlRow;
  subtype: string;
  target: ControlTarget;
  parameters: unknown[];
  options: Options | undefined;
}

function callControl(row: ControlRow, target: ControlTarget, given: unknown[]): Promise<unknown> {
  const count = row.parameters?.length ?? 0;
  const parameters = given.slice(0, count);
  const options = given[count] as Options | undefined;
  const { subtype = 'initialize' } = row;
  return settleQuietly(
    limitControl(subtype, options, (signal) => {
      if (row.read) return target.initialized.then((reply) => row.read?.(reply, target, ...parameters));
      if (row.call) return row.call(target, signal && { signal }, ...parameters);
      return ask({ row, subtype, target, parameters, options }, signal);
    }),
  );
}

async function ask(call: Call, signal: AbortSignal | undefined): Promise<unknown> {
  const { row, subtype, target } = call;
  if (row.needs) await checkNeeds(call, row.needs);
  try {
    const answer = await send(target, { subtype, ...fieldsOf(call) }, signal);
    return row.reply ? row.reply(answer) : answer;
  } catch (error) {
    const isRefusal = error instanceof ControlRequestError && !isUnknownControl(error);
    if (isRefusal && row.refused !== undefined) return row.refused;
    throw error;
  }
}

function send(
  target: ControlTarget,
  request: { subtype: string },
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return target.request(withoutUndefined(request), signal && { signal });
}

function fieldsOf({ row, parameters, options }: Call): object {
  const fields: Record<string, unknown> = {};
  for (const [index, field] of (row.parameters ?? []).entries()) fields[field] = parameters[index];
  for (const [option, field] of Object.entries(row.options ?? {})) fields[field] = options?.[option];
  return row.complete ? row.complete(fields) : fields;
}

/** Refuses an option that the CLI would drop silently. */
async function checkNeeds(
  { subtype, target, options }: Call,
  needs: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [field, capability] of Object.entries(needs)) {
    if (!options?.[field]) continue;
    await target.initialized;
    const { capabilities } = target;
    if (!capabilities.has(capability))
      throw refuseField({ subtype, field, capability }, capabilities.known.version);
  }
}
