// Authenticates this page at its server: exchanges the key of a link for a secret, keeps the secret for this origin, and
// sends it with every request. No other server gets it.
import { SECRET_HEADER } from '../../model/entry.js';
import { keepText, readKept, type KeptTexts } from '../store/kept-texts.js';

const KEPT_AS = 'inboard-inspector-secret';

/** The parts of the browser that are used. */
export interface EntryParts {
  /** The key of the link that was opened; undefined if the address has none. */
  key: string | undefined;
  /** Removes the key from the address, and so from the browser's history. */
  forgetKey: () => void;
  /** The storage for the secret, for the next visit and other tabs. It may throw, because some browsers forbid it. */
  kept: () => KeptTexts;
  fetch: Ask;
}

/** Sends a request to the server, with the secret of this browser. */
export type Ask = (path: string, options?: RequestInit) => Promise<Response>;

/** The options of a request that changes something, with headers that no form of another page can send. */
export function toPost(value: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-inboard': '1' },
    body: JSON.stringify(value),
  };
}

/** Creates the function for requests. Requests reject if the server does not answer; a browser without access gets a 401. */
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
    // The key has been used, whether the browser was let in or not.
    parts.forgetKey();
    if (!result) return;
    secret = result.secret;
    keepText(parts.kept, KEPT_AS, secret);
  };
  return async (path, options) => {
    entering ??= enter();
    await entering.catch((error: unknown) => {
      // The server did not answer, so the key is still valid, and the next request tries it again.
      entering = undefined;
      throw error;
    });
    return await send(path, options);
  };
}
