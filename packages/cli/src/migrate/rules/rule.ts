// The type of a rule: one difference between the official SDK and this one that can be seen in a program.
import type { Program } from '../program/program.js';
import type { GivenOptions } from '../program/given-options.js';

/**
 * How much a difference matters. `breaks`: the program stops working. `differs`: it behaves differently. `know`: the
 * program works, but the user should know about the difference.
 */
export type Weight = 'breaks' | 'differs' | 'know';

/** What rules look at besides the program. */
export interface RuleContext {
  options: GivenOptions;
  /** Whether this package exports a name from an entry point such as `inboard/core`. Undefined if that is not known. */
  isExported: (entryPoint: string, name: string) => boolean | undefined;
}

/** A place in a program where a rule applies. */
export interface RuleFinding {
  /** The position in the source. */
  offset: number;
  /** One sentence that says what the program has there, and what will happen to it. */
  what: string;
  /** What to do, if it differs from the advice of the rule. */
  advice?: string | undefined;
}

/** A rule: one difference, and how to find it in a program. */
export interface MigrationRule {
  id: string;
  weight: Weight;
  /** The section of docs/coming-from-the-official-sdk.md that explains the rule, by the anchor of its heading. */
  section: string;
  /** One sentence that says why this package behaves differently. */
  why: string;
  advice: string;
  /** Texts for which the rule also reads files that do not import the official package. */
  mentions?: readonly string[];
  find(program: Program, context: RuleContext): RuleFinding[];
}
