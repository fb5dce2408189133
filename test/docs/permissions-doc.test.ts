// The code of docs/permissions.md.
import { describe } from 'vitest';
import { describePrograms } from '../package/document-programs.js';

describe('the page about permissions', () => {
  describePrograms('docs/permissions.md');
});
