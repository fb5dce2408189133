// Recognizes functions that can see only their first arguments, and no `this`: arrow functions with that many
// parameters, none of which has a default or is a rest parameter. An arrow function has no `arguments` of its own. Any
// other function (bound functions, proxies, methods, comments or defaults in a pattern) counts as seeing everything.
type AnyFunction = (...args: never[]) => unknown;

const NAME = '[\\w$]+';
const PARAMETER = `\\s*(?:${NAME}|\\{[\\w$\\s,:]*\\})\\s*`;
const [ONE, TWO] = [1, 2].map(
  (most) =>
    new RegExp(
      `^(?:async\\s*)?(?:\\((?:${PARAMETER}(?:,${PARAMETER}){0,${most - 1}}(?:,\\s*)?|\\s*)\\)|${NAME})\\s*=>`,
    ),
) as [RegExp, RegExp];

/** Whether a function, by its own text, is an arrow function that sees at most this many arguments. */
export function isShortArrow(given: AnyFunction, most: 1 | 2): boolean {
  return given.length <= most && (most === 1 ? ONE : TWO).test(Function.prototype.toString.call(given));
}
