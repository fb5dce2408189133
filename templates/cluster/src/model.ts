// Who answers: a real model, a CLI on another host, or a script, so that everything can be tried without an account.
import { readFileSync } from 'node:fs';
import type { QueryOptions } from 'inboard';
import { connectCli } from 'inboard/remote';
import { ACCOUNTS, readNumber, readText, requireText } from './settings.ts';

export interface Model {
  /** The options for each CLI. */
  cli: () => QueryOptions;
  close(): Promise<void>;
}

/** The caller closes it, after the cluster. Throws if nothing says who answers. */
export async function startModel(): Promise<Model> {
  if (readText('MODEL') === 'script') return await startScript();
  const host = readText('REMOTE_HOST');
  if (host !== undefined) return { cli: connectRemote(host), close: async () => {} };
  if (ACCOUNTS.some((name) => readText(name) !== undefined))
    return { cli: () => ({}), close: async () => {} };
  throw new Error(`There is no account. Set ${ACCOUNTS[0]}, or MODEL=script to let a script answer.`);
}

/** CLIs run on hosts with `inboard remote serve`, which have the account. */
function connectRemote(host: string): () => QueryOptions {
  const authority = readText('REMOTE_CA');
  const remote = connectCli({
    host,
    port: readNumber('REMOTE_PORT', 7400, 1),
    tls: authority === undefined ? true : { ca: readFileSync(authority) },
    token: requireText('REMOTE_TOKEN', 'It is the token of the hosts that run CLIs.'),
  });
  return () => ({ ...remote });
}

async function startScript(): Promise<Model> {
  const { randomUUID } = await import('node:crypto');
  const { startOffline } = await import('inboard/testing');
  const { playModel } = await import('./script.ts');
  // Ids of two processes must not be equal: a CLI drops messages whose ids it has seen. In containers, process ids are.
  const offline = await startOffline({ onExhausted: playModel, idMark: randomUUID().slice(0, 8) });
  return { cli: () => ({ ...offline.options }), close: () => offline.close({ verify: false }) };
}
