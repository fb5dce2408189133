// The code of docs/long-conversations.md.
import { describe } from 'vitest';
import { describePrograms } from '../package/document-programs.js';

describe('long conversations', () => {
  describePrograms('docs/long-conversations.md');
});
