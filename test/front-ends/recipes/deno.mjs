// deno.mjs
import { chat } from './chat.mjs';

const server = Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT') ?? 3000) }, (request) =>
  chat.fetch(request),
);

Deno.addSignalListener('SIGTERM', async () => {
  await chat.close();
  await server.shutdown();
});
