// Recognizes functions that can see only their first arguments, and no `this`. These are arrow functions with few
// parameters, of which none has a default or is a rest parameter. An arrow function has no `arguments` of its own. Any
// other function, such as a bound function, a proxy or a method, counts as seeing everything.
type AnyFunction = (...args: never[]) => unknown;

const NAME = '[\\w$]+';
const PARAMETER = `\\s*(?:${NAME}|\\{[\\w$\\s,:]*\\})\\s*`;
const [ONE, TWO] = [1, 2].map(
  (most) =>
    new RegExp(
      `^(?:async\\s*)?(?:\\((?:${PARAMETER}(?:,${PARAMETER}){0,${most - 1}}(?:,\\s*)?|\\s*)\\)|${NAME})\\s*=>`,
    ),
) as [RegExp, RegExp];

/** Whether the text of a function shows that it is an arrow function and sees at most this many arguments. */
export function isShortArrow(given: AnyFunction, most: 1 | 2): boolean {
  return given.length <= most && (most === 1 ? ONE : TWO).test(Function.prototype.toString.call(given));
}
