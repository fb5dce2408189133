// The differences between the two tested CLIs in what they make of a result, one field each. The measurements are in
// docs/discoveries/tool-results.md.
import { compareVersions } from '../../wire/process/find/compare-versions.js';

/** What one CLI does with results. */
export interface CliRules {
  /** Whether it is like the newest CLI that was measured. */
  isNew: boolean;
  /** The most characters of an error. A longer one loses its middle. */
  errorChars: number;
  /** The most bytes of an image that is sent unchanged. The CLI encodes larger ones anew. */
  imageBytes: number;
}

const OLD_VERSION = '2.1.33';

const NEW_RULES: CliRules = { isNew: true, errorChars: 11_024, imageBytes: 512_000 };
const OLD_RULES: CliRules = { isNew: false, errorChars: 10_000, imageBytes: 3_932_160 };

/** The rules of a version. Only two were measured: every version after the older one counts as the newer one. */
export function findRules(cliVersion: string | undefined): CliRules {
  const isNew = cliVersion === undefined || compareVersions(cliVersion, OLD_VERSION) > 0;
  return isNew ? NEW_RULES : OLD_RULES;
}

/** How many tokens a result may have: the CLI's default, or the value in its environment, read as this CLI reads it. */
export function findTokenLimit(
  rules: CliRules,
  env: Readonly<Record<string, string | undefined>> = {},
): number {
  const said = env['MAX_MCP_OUTPUT_TOKENS'];
  if (said === undefined) return DEFAULT_TOKENS;
  // The older CLI has no limit where the variable is no number.
  if (!rules.isNew) return Number.parseInt(said, 10);
  const number = Number(said);
  const limit = Math.trunc(Number.isNaN(number) ? Number.parseInt(said, 10) : number);
  return limit > 0 ? limit : DEFAULT_TOKENS;
}

const DEFAULT_TOKENS = 25_000;
