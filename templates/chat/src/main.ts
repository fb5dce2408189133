// The program: `npm start`. The page is at http://127.0.0.1:3000, or at the port in PORT.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Offline } from 'inboard/testing';
import type { UiChat } from 'inboard/ui';
import { createChat } from './chat.ts';
import { hasAccount, startScript } from './model.ts';
import { createWebServer } from './server.ts';
import { createOrders } from './tools.ts';

let script: Offline | undefined;
let chat: UiChat | undefined;
let server: Server | undefined;
try {
  if (!hasAccount(process.env)) script = await startScript(process.env['SCRIPT_FOLDER']);
  chat = createChat({
    orders: createOrders(),
    cli: () => ({ ...script?.options }),
    env: script?.options.env,
  });
  server = createWebServer(chat);
  // Only this machine reaches it. See "Change for production" in README.md before you set HOST.
  server.listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1');
  await once(server, 'listening');
  console.log(`The chat: http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  if (script) console.log('ANTHROPIC_API_KEY is not set, so a script answers, whatever you ask.');
  if (script && !process.env['SCRIPT_FOLDER'])
    console.log('Chats with the script are gone when this server ends. SCRIPT_FOLDER=<folder> keeps them.');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} catch (error) {
  console.error(`The chat cannot be served: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await chat?.close();
  server?.close();
  server?.closeAllConnections();
  await script?.close({ verify: false });
}
