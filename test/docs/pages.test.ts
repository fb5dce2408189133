// The code on every page of docs that no other test runs: a new page is run as soon as it is there.
import { describe } from 'vitest';
import { describePrograms } from '../package/document-programs.js';
import { listUnclaimedPages } from '../package/documented-pages.js';

describe('the pages of docs', () => {
  for (const page of listUnclaimedPages()) describePrograms(page);
});
