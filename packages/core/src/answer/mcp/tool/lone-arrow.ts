// Finds handlers that can see neither `this` nor a second argument. They need no context and no binding.
import { isShortArrow } from '../../../util/short-arrow.js';

type AnyFunction = (...args: never[]) => unknown;

interface HasHandler<F extends AnyFunction = AnyFunction> {
  readonly handler: F;
}

/** Handlers that were bound here. Binding one again would only add a step to each call. */
const bound = new WeakSet<AnyFunction>();

/** Whether the handler sees at most its arguments. */
export function isLoneArrow({ handler }: HasHandler): boolean {
  return isShortArrow(handler, 1);
}

/** The handler with its tool as `this`. The function itself where it could not tell the difference. */
export function bindHandler<F extends AnyFunction>({ handler }: HasHandler<F>, tool: object): F {
  if (bound.has(handler) || isLoneArrow({ handler })) return handler;
  const own = handler.bind(tool) as F;
  bound.add(own);
  return own;
}
