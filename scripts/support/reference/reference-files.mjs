// All pages that are made from the sources, by their path in the project. What the sources say at run time is handed in: a
// test has it from the sources themselves, the script from a build of them.
import { cutPage } from '../pages/cut-page.mjs';
import { buildErrorsPage, ERRORS_PARTS } from './errors-page.mjs';
import { buildOptionsPage, OPTIONS_PARTS } from './options-page.mjs';
import { buildSurfacePage } from './surface-page.mjs';

/** Their texts; throws where a sentence is missing. */
export function buildReferenceFiles(tables) {
  return {
    ...cutPage({ file: 'docs/errors.md', text: buildErrorsPage(tables), parts: ERRORS_PARTS }),
    ...cutPage({ file: 'docs/options.md', text: buildOptionsPage(tables), parts: OPTIONS_PARTS }),
    'docs/surface.md': buildSurfacePage(tables),
  };
}
