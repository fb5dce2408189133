// The transport to another host, under the rules of every transport.
import { afterAll, describe, it } from 'vitest';
import { connectCli } from '../../../packages/remote/src/home/connect-cli.js';
import { serveCli, type CliServer } from '../../../packages/remote/src/serve/serve-cli.js';
import { describeTransport } from '../../../packages/testing/src/conformance/transport-conformance.js';

const TOKEN = 'a-token-for-this-test';

let server: Promise<CliServer> | undefined;

afterAll(async () => {
  await (await server)?.close();
});

describeTransport(
  'a CLI behind serveCli()',
  async ({ args }) => {
    server ??= serveCli({ listen: {}, token: TOKEN, cli: process.execPath });
    const { address } = await server;
    if (!('port' in address)) throw new Error('no port');
    const { transport } = connectCli({ port: address.port, token: TOKEN });
    return await transport({ args, env: {}, cwd: '.' });
  },
  { describe, it },
);
