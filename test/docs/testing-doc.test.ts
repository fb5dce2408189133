// The page on testing: its code runs.
import { describe } from 'vitest';
import { describePrograms } from '../package/document-programs.js';

describe('the page on testing', () => {
  describePrograms('docs/testing.md');
});
