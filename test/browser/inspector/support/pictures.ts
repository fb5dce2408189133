// Pictures that tests take, for people to look at afterwards: in `test-artifacts/` of the project, which git ignores.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../package/project.js';
import type { Page } from '../../support/page.js';

const PICTURES = join(PROJECT_ROOT, 'test-artifacts', 'inspector');

/** Keeps a picture of the page as it stands; the name tells what is on it. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, `${name}.png`), await page.capture());
}
