// What a rule is: one difference between the official SDK and this one that a program can show.
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
export interface Found {
  /** Where in the source. */
  offset: number;
  /** What is there and becomes of it; a sentence. */
  what: string;
  /** What to do, where it is not what the rule says. */
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
  /** Texts that are telling by themselves, so that the rule also reads files that do not import the official package. */
  mentions?: readonly string[];
  find(program: Program, context: RuleContext): Found[];
}
