// Which requests may change something: those of the page's own site. A page of another site can have a browser post anything
// here, with the visitor's cookies; what the browser says about that page gives it away.
import { InvalidOptionsError } from '../../errors.js';
import { Refusal } from './refusal.js';

/** Other sites whose pages may write, by origin, or all sites. */
export type UiAllowedOrigins = readonly string[] | '*';

/** Throws an InvalidOptionsError for what is no origin, since no request would ever match it. */
export function checkOrigins(allowed: unknown): void {
  if (allowed === undefined || allowed === '*') return;
  const wrong = (Array.isArray(allowed) ? allowed : [allowed]).find((origin) => !isOrigin(origin)) as unknown;
  if (wrong === undefined && Array.isArray(allowed)) return;
  throw new InvalidOptionsError(
    ['allowedOrigins'],
    `"allowedOrigins" must be a list of origins such as "https://app.example", or "*"; ${JSON.stringify(wrong)} is not an origin`,
  );
}

/** Refuses a request that a page of another site has made. */
export function refuseForeign(request: Request, allowed: UiAllowedOrigins = []): void {
  const origin = request.headers.get('origin');
  // Without one it is no browser, or a visit that changes nothing.
  if (origin === null || allowed === '*' || allowed.includes(origin)) return;
  const host = request.headers.get('host') ?? new URL(request.url).host;
  // By name and port alone: a proxy may speak TLS in front of this server.
  if (isOrigin(origin) && new URL(origin).host === host.toLowerCase()) return;
  throw new Refusal(
    403,
    'FOREIGN_ORIGIN',
    'Only pages of this site may do that. To allow a front end elsewhere, name it in the option "allowedOrigins".',
  );
}

function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value.toLowerCase();
}
