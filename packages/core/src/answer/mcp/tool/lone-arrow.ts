// Finds handlers that can read neither `this` nor a second argument. Such a handler needs no context and no `bind`.
import { isShortArrow } from '../../../util/short-arrow.js';

type AnyFunction = (...args: never[]) => unknown;

interface HasHandler<F extends AnyFunction = AnyFunction> {
  readonly handler: F;
}

/** Handlers that were bound here. Binding one again would only add a step to each call. */
const bound = new WeakSet<AnyFunction>();

/** Whether the handler can read at most its first argument, which has the arguments of the call. */
export function isLoneArrow({ handler }: HasHandler): boolean {
  return isShortArrow(handler, 1);
}

/** The handler with its tool as `this`. A handler that cannot read `this` is returned as it is. */
export function bindHandler<F extends AnyFunction>({ handler }: HasHandler<F>, tool: object): F {
  if (bound.has(handler) || isLoneArrow({ handler })) return handler;
  const own = handler.bind(tool) as F;
  bound.add(own);
  return own;
}
