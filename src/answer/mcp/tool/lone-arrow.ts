// Handlers that can see neither `this` nor a second argument: arrow functions of one parameter, without a default and without a rest.
// An arrow function has no `arguments` of its own. Whatever is not plainly that (bound functions, proxies, methods, comments or
// defaults in the pattern) is taken to see everything.
type AnyFunction = (...args: never[]) => unknown;

const LONE_ARROW = /^(?:async\s*)?(?:\(\s*(?:[\w$]+|\{[\w$\s,:]*\})?\s*,?\s*\)|[\w$]+)\s*=>/;

/** Whether a function is such an arrow function, by its own text. */
export function isLoneArrow(handler: AnyFunction): boolean {
  return handler.length <= 1 && LONE_ARROW.test(Function.prototype.toString.call(handler));
}

/** The handler with its tool as `this`; the function itself where it could not tell the difference. */
export function bindHandler<F extends AnyFunction>(handler: F, tool: object): F {
  return isLoneArrow(handler) ? handler : (handler.bind(tool) as F);
}
