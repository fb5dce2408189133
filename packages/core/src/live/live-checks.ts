// Checks the options of a live CLI, in the caller's own tick and before there is a process. The CLI's parts
// are made later from the checked options.
import { checkHooks } from '../answer/hooks/hook-registry.js';
import { checkInstance } from '../answer/mcp/foreign/is-server-instance.js';
import { ToolServer } from '../answer/mcp/server/tool-server.js';
import type { Options } from '../options/options.js';
import { WarningReporter } from '../options/check/warning-reporter.js';
import { isInProcess } from '../wire/protocol/config/mcp-config.js';
import { OutputChecker } from './output/output-checker.js';
import { nameTools, type QueryOptions } from './tooling/name-tools.js';

/** Options that have passed all checks. */
export interface CheckedOptions {
  options: Options;
  warnings: WarningReporter;
  output: OutputChecker;
  /** Whether an in-process server is told the CLI's version. Servers that this library did not make are told. */
  tellsVersion: boolean;
}

/** Throws if an option is wrong. Starts nothing. */
export function checkForLive(given: QueryOptions): CheckedOptions {
  const named = nameTools(given);
  const warnings = new WarningReporter(named);
  warnings.checkOptions();
  const output = new OutputChecker(named.output);
  const options = output.apply(named);
  checkHooks(options.hooks);
  // The caller may change the list for the next query before the servers of this one are bound.
  if (options.mcpServers) options.mcpServers = { ...options.mcpServers };
  let tellsVersion = false;
  for (const [name, config] of Object.entries(options.mcpServers ?? {})) {
    if (!isInProcess(config)) continue;
    checkInstance(name, config.instance);
    tellsVersion ||= !((config.instance as unknown) instanceof ToolServer);
  }
  return { options, warnings, output, tellsVersion };
}
