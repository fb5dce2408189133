// All pages that are made from the sources, by their path in the project. What the sources say at run time is handed in: a
// test has it from the sources themselves, the script from a build of them.
import { buildErrorsPage } from './errors-page.mjs';
import { buildOptionsPage } from './options-page.mjs';
import { buildSurfacePage } from './surface-page.mjs';

/** Their texts; throws where a sentence is missing. */
export function buildReferenceFiles(tables) {
  return {
    'docs/errors.md': buildErrorsPage(tables),
    'docs/options.md': buildOptionsPage(tables),
    'docs/surface.md': buildSurfacePage(tables),
  };
}
