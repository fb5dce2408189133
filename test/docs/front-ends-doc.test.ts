// The code of docs/front-ends.md.
import { describe } from 'vitest';
import { describePrograms } from '../package/document-programs.js';

describe('the page about front ends', () => {
  describePrograms('docs/front-ends.md');
});
