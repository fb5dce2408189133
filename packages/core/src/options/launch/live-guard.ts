// Keeps tests from spending money: with INBOARD_FORBID_LIVE set, a CLI is started only if its model is on this machine.
import { InboardError } from '../../errors.js';
import { isLoopback } from '../../util/loopback.js';

/** The variable that forbids live runs. Every value does so, except `0`, `false` and the empty text. */
const FORBID_LIVE = 'INBOARD_FORBID_LIVE';

type Environment = Readonly<Record<string, string | undefined>>;

const OTHER_PROVIDERS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/**
 * Throws an InboardError with the code `LIVE_RUN_FORBIDDEN` if live runs are forbidden and the CLI with this environment
 * would use a model on another machine.
 */
export function checkLiveRun({ hostEnv, cliEnv }: { hostEnv: Environment; cliEnv: Environment }): void {
  if (!isSet(hostEnv[FORBID_LIVE]) || hasOwnModel(cliEnv)) return;
  const provider = findProvider(cliEnv);
  const url = cliEnv['ANTHROPIC_BASE_URL'];
  const why = provider
    ? `${provider} is set for the CLI`
    : url === undefined
      ? 'ANTHROPIC_BASE_URL is not set for the CLI'
      : 'the host of ANTHROPIC_BASE_URL is not this machine';
  throw new InboardError(
    'LIVE_RUN_FORBIDDEN',
    `${FORBID_LIVE} forbids runs that reach a real model, and ${why}. Use the scripted model or the fake CLI of inboard/testing, or unset ${FORBID_LIVE}.`,
  );
}

/** Whether a CLI with this environment asks a model on this machine. */
export function hasOwnModel(cliEnv: Environment): boolean {
  const url = cliEnv['ANTHROPIC_BASE_URL'];
  return findProvider(cliEnv) === undefined && url !== undefined && isOnThisMachine(url);
}

function findProvider(cliEnv: Environment): string | undefined {
  return OTHER_PROVIDERS.find((name) => isSet(cliEnv[name]));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
