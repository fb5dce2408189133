// express.mjs
import express from 'express';
import { toNodeListener } from 'inboard/ui';
import { chat } from './chat.mjs';

const app = express();
app.use('/api/chat', toNodeListener(chat));

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

process.once('SIGTERM', async () => {
  await chat.close();
  server.close();
});
