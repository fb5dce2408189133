import type { RecipeEdit } from './recipes.mjs';

/** The text of a file after an edit; `text` is undefined for a file that is not there. */
export function applyEdit(text: string | undefined, edit: RecipeEdit): string;
