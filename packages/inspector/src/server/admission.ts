// Who may see the page's data: whoever opened a link, which works once, and has a secret since. Keys and secrets are of this server
// alone, in memory only: what it does not know, it does not let in.
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '@inboard/core/util/loopback-http.js';

/** How long a link works, in milliseconds. */
const LINK_LASTS_MS = 10 * 60 * 1000;
/** Beyond these the oldest go: a page that is left open may ask for links for ever. */
const MOST_LINKS = 32;
const MOST_BROWSERS = 64;

interface Link {
  key: string;
  madeAt: number;
}

/** The links that were not used yet, and the browsers that were let in. */
export class Admission {
  readonly #now: () => number;
  #links: Link[] = [];
  readonly #secrets: string[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A key for a link that works once, within ten minutes. */
  createKey(): string {
    const key = createSecret();
    this.#links = [...this.#valid(), { key, madeAt: this.#now() }].slice(-MOST_LINKS);
    return key;
  }

  /** Uses up a key; the secret for whoever had it, or undefined for one that was used, is too old, or never was. */
  redeem(given: string): string | undefined {
    const valid = this.#valid();
    // All are compared, whichever it is.
    const matching = valid.filter(({ key }) => isSameSecret(given, key));
    this.#links = valid.filter((link) => !matching.includes(link));
    if (matching.length === 0) return undefined;
    const secret = createSecret();
    this.#secrets.push(secret);
    if (this.#secrets.length > MOST_BROWSERS) this.#secrets.shift();
    return secret;
  }

  /** Whether a secret is that of a browser that was let in. */
  isAdmitted(given: string): boolean {
    return this.#secrets.filter((secret) => isSameSecret(given, secret)).length > 0;
  }

  #valid(): Link[] {
    return this.#links.filter(({ madeAt }) => this.#now() - madeAt < LINK_LASTS_MS);
  }
}

/** 256 bits that nobody can guess, in letters that need no escape in a URL or a header. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}
