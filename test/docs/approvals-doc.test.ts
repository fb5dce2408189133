// The code of docs/approvals.md.
import { describe } from 'vitest';
import { describePrograms } from '../package/document-programs.js';

describe('the page about approvals', () => {
  describePrograms('docs/approvals.md');
});
