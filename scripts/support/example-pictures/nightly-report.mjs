// The picture of the nightly report: the page of a run's mail, as the demonstration makes it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const look = { width: 900, height: 960 };

export async function prepare({ folder, dataDir }) {
  const { status, stdout, stderr } = spawnSync('npm', ['start', '--silent'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: dataDir, ANTHROPIC_API_KEY: '' },
  });
  if (status !== 0) throw new Error(`The run ended with ${status}:\n${stdout}${stderr}`);
  // The browser waits until a page says that it is ready, which a mail does not.
  const page = join(dataDir, 'ready.html');
  const html = readFileSync(join(dataDir, 'report.html'), 'utf8');
  writeFileSync(page, html.replace('<html', '<html data-ready="true"').replaceAll(dataDir, 'data'));
  return { url: pathToFileURL(page).href, close: async () => {} };
}
