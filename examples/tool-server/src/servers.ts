// The same tools file three times, as a session takes it: in this process, as a child of the CLI on a pipe, and as a server
// on loopback that checks tokens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { McpServerConfig } from 'inboard';
import { toolkit } from './tools.ts';

const manifest = createRequire(import.meta.url).resolve('inboard/package.json');
/** What `npx inboard serve src/tools.ts` starts. */
export const SERVE = [join(manifest, '../dist/cli/main.js'), 'serve', join(import.meta.dirname, 'tools.ts')];

/** `inboard serve --http`; rejects with what it said when it does not come up. Whoever starts it disposes of it. */
export async function startHttpServer(port: string, env = process.env) {
  const child = spawn(process.execPath, [...SERVE, '--http', '--port', port], { env, stdio: 'pipe' });
  const exited = once(child, 'exit');
  process.once('exit', () => child.kill()); // Also when this process ends by an error.
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, [Symbol.asyncDispose]: close };
  }
  await exited;
  throw new Error(`The HTTP server did not start. ${complaint.trim()}`);
}

/** For `mcpServers`: each on behalf of somebody else. Who calls `local` is said by the session's `toolContext`. */
export function threeServers({ pipe, web }: { pipe: string; web: { url: string; token: string } }) {
  const { DATA_DIR } = process.env;
  return {
    local: toolkit,
    pipe: {
      type: 'stdio',
      command: process.execPath,
      args: [...SERVE, '--stdio'],
      env: { TOOL_USER: pipe, ...(DATA_DIR && { DATA_DIR }) },
    },
    web: { type: 'http', url: web.url, headers: { Authorization: `Bearer ${web.token}` } },
  } satisfies Record<string, McpServerConfig>;
}
