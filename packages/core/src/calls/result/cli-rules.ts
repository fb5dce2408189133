// How the two measured CLIs differ in showing a result to the model, one field for each difference. The measurements
// are in docs/discoveries/tool-results.md.
import { compareVersions } from '../../wire/process/find/compare-versions.js';

/** What one CLI does with results. */
export interface CliRules {
  /** Whether it behaves like the newer of the two measured CLIs. */
  isNew: boolean;
  /** The most characters of an error. A longer one loses its middle. */
  errorChars: number;
  /** The most bytes of an image that is sent unchanged. The CLI re-encodes a larger image. */
  imageBytes: number;
}

const OLD_VERSION = '2.1.33';

const NEW_RULES: CliRules = { isNew: true, errorChars: 11_024, imageBytes: 512_000 };
const OLD_RULES: CliRules = { isNew: false, errorChars: 10_000, imageBytes: 3_932_160 };

/** The rules of a version. Only two versions were measured. Every version after the older one gets the newer one's rules. */
export function findRules(cliVersion: string | undefined): CliRules {
  const isNew = cliVersion === undefined || compareVersions(cliVersion, OLD_VERSION) > 0;
  return isNew ? NEW_RULES : OLD_RULES;
}

/** How many tokens a result may have. A variable in the CLI's environment can set it. Each CLI parses it in its own way. */
export function findTokenLimit(
  rules: CliRules,
  env: Readonly<Record<string, string | undefined>> = {},
): number {
  const said = env['MAX_MCP_OUTPUT_TOKENS'];
  if (said === undefined) return DEFAULT_TOKENS;
  // The older CLI has no limit if the variable is not a number: nothing is greater than NaN.
  if (!rules.isNew) return Number.parseInt(said, 10);
  const number = Number(said);
  const limit = Math.trunc(Number.isNaN(number) ? Number.parseInt(said, 10) : number);
  return limit > 0 ? limit : DEFAULT_TOKENS;
}

const DEFAULT_TOKENS = 25_000;
