/** What a step changes in a file. */
export interface RecipeEdit {
  file: string;
  /** The text after, before or instead of which something is put; it stands once in the file. */
  before?: string;
  after?: string;
  instead?: string;
  put?: string;
  /** The text of a new file. */
  create?: string;
  every?: RegExp;
  count?: number;
  by?: string;
  /** The file's new path. */
  moveTo?: string;
}

/** One step of a recipe. */
export interface RecipeStep {
  name: string;
  edits?: RecipeEdit[];
  /** Scripts with their arguments, and the files that they write. */
  scripts?: string[];
  writes?: string[];
  /** The tests that fail without the step; `compiler` is the type checker. */
  red: string[];
}

/** A recipe as it is played. */
export interface PlayedRecipe {
  id: string;
  /** Its heading in RECIPES.md. */
  title: string;
  /** Whether its steps do not fit together with those of the others. */
  isApart?: boolean;
  /** What is there before the first step. */
  given?: RecipeEdit[];
  steps: RecipeStep[];
}

export const PLAYED: readonly PlayedRecipe[];

/** By title, what of a recipe is not played, and why. */
export const NOT_PLAYED: Readonly<Record<string, string>>;
