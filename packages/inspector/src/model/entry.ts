// How a browser gets in, as far as the page and its server must agree: a key in a link is exchanged for a secret, once. The secret is in
// no cookie: browsers send those of one port to every server of the same host.

/** The header in which the page's script sends the secret. Not `Authorization`, which a proxy in front may want for itself. */
export const SECRET_HEADER = 'x-inboard-secret';

const KEY = /[#&]key=([\w-]+)/;

/** The part of a link behind the #, which holds its key: browsers never send it by themselves. */
export function writeKey(key: string): string {
  return `#key=${key}`;
}

/** The key in the part of an address behind the #, beside the place that the page is to show; undefined where there is none. */
export function readKey(hash: string): string | undefined {
  return KEY.exec(hash)?.[1];
}

/** The same part without the key. */
export function withoutKey(hash: string): string {
  return hash.replace(KEY, '').replace(/^[#&]*/, '#');
}
