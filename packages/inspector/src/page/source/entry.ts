// The way of this page to its server: exchanges the key of a link for a secret, keeps that for this address, port included, and sends
// it with every request. No other server is ever sent it.
import { SECRET_HEADER } from '../../model/entry.js';
import { keepText, readKept, type KeptTexts } from '../store/kept-texts.js';

const KEPT_AS = 'inboard-inspector-secret';

/** What the browser lends. */
export interface EntryParts {
  /** The key of the link that was opened; undefined for a page that was let in before. */
  key: string | undefined;
  /** Takes the key out of the address, and so out of the history. */
  forgetKey: () => void;
  /** Where the secret is kept for the next visit, and for other tabs. It may throw: some browsers forbid it. */
  kept: () => KeptTexts;
  fetch: Ask;
}

/** Asks the server, in the name of this browser. */
export type Ask = (path: string, options?: RequestInit) => Promise<Response>;

/** A request that changes something: with what no form of another page can send. */
export function toPost(value: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-inboard': '1' },
    body: JSON.stringify(value),
  };
}

/** A way in. What it asks for rejects where the server does not answer; a browser that it does not let in is answered with 401. */
export function createEntry(parts: EntryParts): Ask {
  let secret = readKept(parts.kept, KEPT_AS) ?? '';
  let entering: Promise<void> | undefined;
  const send: Ask = async (path, options = {}) =>
    await parts.fetch(path, {
      ...options,
      headers: { ...(options.headers as Record<string, string>), [SECRET_HEADER]: secret },
    });
  const enter = async (): Promise<void> => {
    const { key } = parts;
    if (key === undefined) return;
    const response = await send('api/enter', toPost({ key }));
    const { result } = (await response.json()) as { result?: { secret: string } };
    // Whether it was let in or not: the key is good for nothing more.
    parts.forgetKey();
    if (!result) return;
    secret = result.secret;
    keepText(parts.kept, KEPT_AS, secret);
  };
  return async (path, options) => {
    entering ??= enter();
    await entering.catch((error: unknown) => {
      // Not answered: the key is as good as before, and is tried with the next request.
      entering = undefined;
      throw error;
    });
    return await send(path, options);
  };
}
