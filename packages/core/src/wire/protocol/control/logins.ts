// Reads how the CLI is logged in from the account that it reports in the handshake.
import type { AccountInfo } from './initialize-reply.js';

/** How the CLI is logged in to the API, in words; empty if it is not logged in. */
export function listLogins(account: AccountInfo): string[] {
  const { apiKeySource, tokenSource, email, organization, subscriptionType, apiProvider } = account;
  const who = [email, organization, subscriptionType].filter(Boolean).join(', ');
  return [
    isGiven(apiKeySource) ? `an API key (${apiKeySource})` : '',
    isGiven(tokenSource) ? `a token (${tokenSource})` : '',
    apiProvider !== undefined && apiProvider !== 'firstParty' ? apiProvider : '',
    who,
  ].filter(Boolean);
}

function isGiven(source: string | undefined): boolean {
  return source !== undefined && source !== 'none';
}
