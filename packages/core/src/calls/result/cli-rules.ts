// Where the two tested CLIs differ in what they make of a result, one field for each difference. How it was measured is in
// docs/discoveries/tool-results.md.
import { compareVersions } from '../../wire/process/find/compare-versions.js';

/** What one CLI does with results. */
export interface CliRules {
  /** Whether it is like the newest CLI that was measured. */
  isNew: boolean;
  /** Longer errors lose their middle. */
  errorChars: number;
  /** Bytes of an image up to which it is sent as it is; the CLI encodes others anew. */
  imageBytes: number;
}

const OLD_VERSION = '2.1.33';

const NEW_RULES: CliRules = { isNew: true, errorChars: 11_024, imageBytes: 512_000 };
const OLD_RULES: CliRules = { isNew: false, errorChars: 10_000, imageBytes: 3_932_160 };

/** The rules of a version. Only two were measured: whatever is later than the older one is taken for the newer one. */
export function findRules(cliVersion: string | undefined): CliRules {
  const isNew = cliVersion === undefined || compareVersions(cliVersion, OLD_VERSION) > 0;
  return isNew ? NEW_RULES : OLD_RULES;
}

/** Tokens that a result may have: the CLI's default, or what its environment says, read as this CLI reads it. */
export function findTokenLimit(
  rules: CliRules,
  env: Readonly<Record<string, string | undefined>> = {},
): number {
  const said = env['MAX_MCP_OUTPUT_TOKENS'];
  if (said === undefined) return DEFAULT_TOKENS;
  // This CLI has no limit at all where the variable is no number.
  if (!rules.isNew) return Number.parseInt(said, 10);
  const number = Number(said);
  const limit = Math.trunc(Number.isNaN(number) ? Number.parseInt(said, 10) : number);
  return limit > 0 ? limit : DEFAULT_TOKENS;
}

const DEFAULT_TOKENS = 25_000;
