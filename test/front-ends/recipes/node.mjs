// node.mjs
import { createServer } from 'node:http';
import { toNodeListener } from 'inboard/ui';
import { chat } from './chat.mjs';

const server = createServer(toNodeListener(chat));
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

process.once('SIGTERM', async () => {
  await chat.close();
  server.close();
});
