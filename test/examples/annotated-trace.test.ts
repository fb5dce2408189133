// The comparison page of the annotated trace in a real browser: whole, readable at three widths, and without a violation.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { auditPage } from '../browser/inspector/support/audit.js';
import { describeInBrowser } from '../browser/inspector/support/browser-tests.js';

const run = promisify(execFile);

describeInBrowser('the page of the annotated trace', (test) => {
  test('shows the joint table, the spans and the fields, at every width', async (pages) => {
    const folder = await mkdtemp(join(tmpdir(), 'annotated-trace-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const example = join(process.env['INBOARD_EXAMPLES_DIR'] ?? 'examples', 'annotated-trace');
    const program = resolve(example, 'src', 'main.ts');
    const jiti = join(dirname(createRequire(program).resolve('jiti')), 'jiti-register.mjs');
    await run(process.execPath, ['--import', pathToFileURL(jiti).href, program, '--html'], {
      cwd: folder,
      env: { ...process.env, ANTHROPIC_API_KEY: '' },
      maxBuffer: 2 ** 26,
    });
    const page = await pages.open(pathToFileURL(join(folder, 'comparison.html')).href, {
      width: 1400,
      height: 1000,
    });
    await page.untilText('Every difference is explained.');
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
    expect(await page.read<number>("document.querySelectorAll('tbody tr').length")).toBeGreaterThan(100);
    await page.clickOn('summary', '4.4 mcp tools/call');
    await page.until("document.querySelector('details[open]') !== null");
    for (const width of [1400, 768, 360]) {
      await page.look({ width, height: 800, dark: width === 768 });
      expect(await auditPage(page), String(width)).toEqual({ violations: [], incomplete: [] });
      // A scroll bar takes some of it.
      expect(await page.read<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });
});
