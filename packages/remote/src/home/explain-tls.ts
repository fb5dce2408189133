// Explains from the error code of Node or OpenSSL why a TLS connection was not made, and says what to do.
import { RemoteError, type RemoteFault } from '@inboard/core/errors.js';

interface Advice {
  readonly code: RemoteFault;
  /** Matches the error code. The first row that matches counts. */
  readonly fits: RegExp;
  /** Says what is wrong. `name` is the name of the other host. */
  readonly what: (name: string) => string;
  readonly advice: string;
}

const NOT_TRUSTED = (name: string): string => `The certificate of ${name} is not trusted here`;

const ADVICE: readonly Advice[] = [
  {
    code: 'REMOTE_NOT_SECURE',
    fits: /^CERT_HAS_EXPIRED$/,
    what: (name) => `The certificate of ${name}, or of the authority that signed it, has expired`,
    advice: 'Renew it on that host, and check the clock of this one.',
  },
  {
    code: 'REMOTE_NOT_SECURE',
    fits: /^CERT_NOT_YET_VALID$/,
    what: (name) => `The certificate of ${name} is not valid yet`,
    advice: 'Check the clocks of both hosts.',
  },
  {
    code: 'REMOTE_NOT_SECURE',
    fits: /^(?:ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/,
    what: (name) => `The certificate of ${name} is for another name`,
    advice: 'Connect by a name that it has, or give that name as "tls: { servername }".',
  },
  {
    code: 'REMOTE_NOT_SECURE',
    fits: /^(?:CERT_REVOKED|CERT_REJECTED|CERT_SIGNATURE_FAILURE|INVALID_PURPOSE|INVALID_CA|PATH_LENGTH_EXCEEDED)$/,
    what: (name) => `The certificate of ${name} cannot be used`,
    advice: 'That host needs another one.',
  },
  {
    code: 'REMOTE_NOT_SECURE',
    fits: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    what: NOT_TRUSTED,
    advice:
      'Give the authority that signed it as "tls: { ca }". If an authority between the two signed it, that host must send its certificate, too.',
  },
  {
    code: 'REMOTE_NOT_SECURE',
    fits: /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/,
    what: NOT_TRUSTED,
    advice: 'Give the authority that signed it as "tls: { ca }".',
  },
  {
    code: 'REMOTE_REFUSED',
    fits: /ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR)|CERTIFICATE_REQUIRED/,
    what: (name) => `${name} does not accept this side's certificate`,
    advice: 'Give one that is valid and that its authority signed as "tls: { cert, key }".',
  },
  {
    code: 'REMOTE_PROTOCOL',
    fits: /ALERT_(?:PROTOCOL_VERSION|HANDSHAKE_FAILURE)|UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER/,
    what: (name) => `${name} and this side have no version of TLS in common, or no cipher`,
    advice: 'Both need TLS 1.2 or later.',
  },
  {
    code: 'REMOTE_PROTOCOL',
    fits: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LENGTH_TOO_LONG|HTTP_REQUEST/,
    what: (name) => `${name} does not speak TLS`,
    advice: 'Check the port, or give that host a certificate.',
  },
];

/** The error with the explanation. Undefined if the failure has nothing to do with TLS. */
export function explainTlsFailure(name: string, cause: unknown): RemoteError | undefined {
  const {
    code = '',
    message,
    reason = message,
  } = (cause ?? {}) as NodeJS.ErrnoException & { reason?: string };
  const found = ADVICE.find(({ fits }) => fits.test(code));
  if (!found) return undefined;
  return new RemoteError(found.code, `${found.what(name)}: ${reason} (${code}). ${found.advice}`, {
    phase: 'launch',
    cause,
  });
}
