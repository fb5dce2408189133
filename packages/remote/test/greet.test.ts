// What is said where the other side ends before it has greeted.
import { expect, it } from 'vitest';
import { connectCli } from '../src/home/connect-cli.js';
import type { ConnectCliOptions } from '../src/home/connect-options.js';
import { Link } from '../src/wire/link.js';
import { createDuplexPair } from './support.js';

const reach = async (options: ConnectCliOptions): Promise<unknown> =>
  await connectCli(options).transport({ args: [], env: {}, cwd: '.' });

it('says that a link ended, and that another try may help', async () => {
  const { home, there } = createDuplexPair();
  new Link(there, { peer: 'home', idleMs: 1000 }).close();
  await expect(reach({ link: () => home })).rejects.toMatchObject({
    code: 'REMOTE_LINK_LOST',
    phase: 'launch',
    retryable: true,
    message: 'the other host ended the link before the greeting',
  });
});

it('says what a program wrote that ended, and which it was', async () => {
  const command = [process.execPath, '-e', 'console.error("No route to the host")'];
  await expect(reach({ command })).rejects.toMatchObject({
    code: 'REMOTE_LINK_LOST',
    message: expect.stringMatching(/the host behind ".*; it said: No route to the host$/) as string,
  });
});
