// How a browser gets in, as far as the page and its server must agree: a key in a link is exchanged for a secret, once. The secret is in
// no cookie: browsers send those of one port to every server of the same host.

/** The field behind the # of a link that holds its key. What stands there is never sent by the browser itself. */
export const KEY_FIELD = 'key';

/** The header in which the page's script sends the secret. Not `Authorization`, which a proxy in front may want for itself. */
export const SECRET_HEADER = 'x-inboard-secret';

/** The key in the part of an address behind the #; undefined where there is none. */
export function readKey(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get(KEY_FIELD) ?? undefined;
}
