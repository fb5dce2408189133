// What the page and its server agree on for letting a browser in: the key in a link is exchanged for a secret, once. The
// secret is not in a cookie, because browsers send the cookies of one port to every server of the same host.

/** The header in which the page's script sends the secret. Not `Authorization`, which a proxy in front may want for itself. */
export const SECRET_HEADER = 'x-inboard-secret';

const KEY = /[#&]key=([\w-]+)/;

/** The part of a link after the #, with the key. Browsers never send this part to a server. */
export function writeKey(key: string): string {
  return `#key=${key}`;
}

/** The key in the part of an address after the #, which may also name a place of the page; undefined if it has no key. */
export function readKey(hash: string): string | undefined {
  return KEY.exec(hash)?.[1];
}

/** The part of an address after the #, without the key. */
export function withoutKey(hash: string): string {
  return hash.replace(KEY, '').replace(/^[#&]*/, '#');
}
