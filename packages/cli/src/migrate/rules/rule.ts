// The type of a rule: one difference between the official SDK and this one that can be seen in a program.
import type { Program } from '../program/program.js';
import type { GivenOptions } from '../program/given-options.js';

/** How much a difference matters: the program stops working, works otherwise, or could be written more simply. */
export type Weight = 'breaks' | 'differs' | 'know';

/** What rules look at besides the program. */
export interface RuleContext {
  options: GivenOptions;
  /** Whether this package exports a name from an entry point such as `inboard/core`; undefined where that is not known. */
  isExported: (entryPoint: string, name: string) => boolean | undefined;
}

/** Something in a program that differs. */
export interface RuleFinding {
  /** Where in the source. */
  offset: number;
  /** What the program has there, and what will happen to it; one sentence. */
  what: string;
  /** What to do, if it differs from the advice of the rule. */
  advice?: string | undefined;
}

/** A difference that a program can show. */
export interface MigrationRule {
  id: string;
  weight: Weight;
  /** The heading of its section in docs/coming-from-the-official-sdk.md, as links name it. */
  section: string;
  /** Why it is different here; a sentence. */
  why: string;
  advice: string;
  /** Texts for which the rule also reads files that do not import the official package. */
  mentions?: readonly string[];
  find(program: Program, context: RuleContext): RuleFinding[];
}
