// The code on pages that need nothing but the real CLI and a willing model.
import { describe } from 'vitest';
import { describePrograms } from '../package/document-programs.js';

describe('the pages of docs', () => {
  describePrograms('docs/inspector.md');
  describePrograms('docs/output-and-usage.md');
  describePrograms('docs/performance.md');
  describePrograms('docs/telemetry.md');
  describePrograms('docs/tools.md');
});
