// Decides which browsers may see the page's data: those that opened a link and got a secret for its key. A link works once.
// Keys and secrets are kept only in the memory of this server.
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '@inboard/core/util/loopback-http.js';

/** How long a link works, in milliseconds. */
const LINK_LASTS_MS = 10 * 60 * 1000;
/** The greatest number of unused links. The oldest are dropped, because an open page may ask for links without end. */
const MOST_LINKS = 32;
const MOST_BROWSERS = 64;

interface Link {
  key: string;
  madeAt: number;
}

/** The unused links, and the browsers that were let in. */
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

  /** Exchanges a key for a secret. Gives undefined for a key that was used, is too old, or is unknown. */
  redeem(given: string): string | undefined {
    const valid = this.#valid();
    // All keys are compared, so that the time does not show which one matches.
    const matching = valid.filter(({ key }) => isSameSecret(given, key));
    this.#links = valid.filter((link) => !matching.includes(link));
    if (matching.length === 0) return undefined;
    const secret = createSecret();
    this.#secrets.push(secret);
    if (this.#secrets.length > MOST_BROWSERS) this.#secrets.shift();
    return secret;
  }

  /** Whether a secret belongs to a browser that was let in. */
  isAdmitted(given: string): boolean {
    return this.#secrets.filter((secret) => isSameSecret(given, secret)).length > 0;
  }

  #valid(): Link[] {
    return this.#links.filter(({ madeAt }) => this.#now() - madeAt < LINK_LASTS_MS);
  }
}

/** 256 random bits, in characters that need no escape in a URL or a header. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}
