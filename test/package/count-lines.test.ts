// Does the count see every file with code in it?
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from './project.js';

it('counts .ts and .tsx, without comments and blank lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'count-lines-'));
  writeFileSync(join(folder, 'a.ts'), '// No code.\nexport const a = 1;\n\n');
  writeFileSync(join(folder, 'b.tsx'), 'export function B() {\n  return <p>b</p>;\n}\n');
  writeFileSync(join(folder, 'c.css'), 'p {}\n');
  try {
    const script = join(PROJECT_ROOT, 'scripts/count-lines.mjs');
    const output = execFileSync(process.execPath, [script, folder], { encoding: 'utf8' });
    expect(output).toContain('2 files, 4 lines of code');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
