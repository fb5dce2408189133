// Brings the page of the clinical briefing into the state its README shows: a briefing was refused, corrected and accepted, and
// one of its citations is open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PORT = 4394;

export const look = { width: 1100, height: 760, scale: 1 };

export async function prepare({ folder, dataDir }) {
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'app/serve.ts'], {
    cwd: folder,
    env: { ...process.env, PORT: String(PORT), DATA_DIR: dataDir, ANTHROPIC_API_KEY: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const close = async () => {
    child.kill('SIGINT');
    await exited;
  };
  return { url: `http://127.0.0.1:${PORT}`, close };
}

export async function act(page) {
  await page.until("document.querySelectorAll('nav button').length === 3");
  await page.read(
    "[...document.querySelectorAll('nav button')].find((button) => button.textContent === 'Margit Lund').click()",
  );
  await page.untilText('The answer was accepted');
  await page.clickOn('#actions summary');
}
