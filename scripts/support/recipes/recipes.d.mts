/** What a step changes in a file. */
export interface RecipeEdit {
  file: string;
  /** The text after or before which something is put; it stands once in the file. */
  before?: string;
  after?: string;
  put?: string;
  /** The text of a new file. */
  create?: string;
  every?: RegExp;
  count?: number;
}

/** One step of a recipe. */
export interface RecipeStep {
  name: string;
  edits?: RecipeEdit[];
  script?: string;
  writes?: string[];
  /** The tests that fail without the step; `compiler` is the type checker. */
  red: string[];
}

/** A recipe as it is played. */
export interface PlayedRecipe {
  id: string;
  /** Its heading in RECIPES.md. */
  title: string;
  steps: RecipeStep[];
}

export const PLAYED: readonly PlayedRecipe[];

/** By title, why a recipe is not played. */
export const NOT_PLAYED: Readonly<Record<string, string>>;
