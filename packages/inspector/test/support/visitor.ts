// A visitor who has opened a link to an inspector that runs elsewhere, and who asks and acts as the page does.
import { readKey, SECRET_HEADER } from '../../src/model/entry.js';
import type { ActionResult, ServerState } from '../../src/model/page-contract.js';

/** A visitor who was let in. */
export interface Visitor {
  origin: string;
  /** What each request needs. */
  headers: Readonly<Record<string, string>>;
  page(): Promise<string>;
  state(): Promise<ServerState>;
  act(action: object): Promise<ActionResult>;
}

/** Opens a link; throws when it does not let in. */
export async function enterByLink(link: string): Promise<Visitor> {
  const { origin, hash } = new URL(link);
  const answer = await fetch(`${origin}/api/enter`, {
    method: 'POST',
    headers: { origin, 'x-inboard': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ key: readKey(hash) }),
  });
  const { result } = (await answer.json()) as { result?: { secret: string } };
  if (!result) throw new Error(`${link} gave ${answer.status}`);
  const headers = { [SECRET_HEADER]: result.secret };
  return {
    origin,
    headers,
    page: async () => (await fetch(origin, { headers })).text(),
    state: async () => (await (await fetch(`${origin}/api/state`, { headers })).json()) as ServerState,
    act: async (action) => {
      const own = { ...headers, origin, 'x-inboard': '1', 'content-type': 'application/json' };
      const body = JSON.stringify(action);
      const acted = await fetch(`${origin}/api/act`, { method: 'POST', headers: own, body });
      return (await acted.json()) as ActionResult;
    },
  };
}
