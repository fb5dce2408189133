// Who may see the page: whoever opened a link, which works once, and has the cookie since. Both are secrets of this server
// alone, in memory only: what it does not know, it does not let in.
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../util/loopback-http.js';

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
  readonly #cookieName: string;
  readonly #now: () => number;
  #links: Link[] = [];
  readonly #cookies: string[] = [];

  /** Cookies are not kept apart by port, so that their name has it: servers on one machine would overwrite each other's. */
  constructor(port: number, now: () => number = Date.now) {
    this.#cookieName = `inboard-${port}`;
    this.#now = now;
  }

  /** A key for a link that works once, within ten minutes. */
  createKey(): string {
    const key = createSecret();
    this.#links = [...this.#valid(), { key, madeAt: this.#now() }].slice(-MOST_LINKS);
    return key;
  }

  /** Uses up a key; the header `Set-Cookie` for whoever had it, or undefined for one that was used, is too old, or never was. */
  redeem(given: string): string | undefined {
    const valid = this.#valid();
    // All are compared, whichever it is.
    const matching = valid.filter(({ key }) => isSameSecret(given, key));
    this.#links = valid.filter((link) => !matching.includes(link));
    if (matching.length === 0) return undefined;
    const cookie = createSecret();
    this.#cookies.push(cookie);
    if (this.#cookies.length > MOST_BROWSERS) this.#cookies.shift();
    return `${this.#cookieName}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Whether a request comes from a browser that was let in, by its header `Cookie`. */
  isAdmitted(header: string | undefined): boolean {
    const given = (header ?? '').split(';').flatMap((pair) => {
      const [name, value = ''] = pair.trim().split('=');
      return name === this.#cookieName ? [value] : [];
    });
    // Nobody sends the same name often; whoever does is not worth the time.
    return given
      .slice(0, 4)
      .some((value) => this.#cookies.filter((cookie) => isSameSecret(value, cookie)).length > 0);
  }

  #valid(): Link[] {
    return this.#links.filter(({ madeAt }) => this.#now() - madeAt < LINK_LASTS_MS);
  }
}

/** 256 bits that nobody can guess, in letters that need no escape in a URL, a header or a cookie. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}
