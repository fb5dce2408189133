// Reports tools of this process that the CLI does not list, keeps behind its tool search, or refuses. A lasting problem is
// reported once, as a warning. With `missingTools: 'error'`, a missing tool is an error that ends the CLI. `tool-check`
// compares the lists.
import { diagnoseTool, isDenied } from '../../answer/diagnosis/diagnose-tool.js';
import { MAX_CHARS_AT_ONCE, MAX_TOOLS_AT_ONCE } from '../../answer/mcp/load-budget.js';
import type { DefinedTool } from '../../answer/mcp/tool/defined-tool.js';
import { ToolsNotReadyError } from '../../errors.js';
import type { WarningReporter } from '../../options/check/warning-reporter.js';
import { buildEnvironment } from '../../options/launch/environment.js';
import type { Options } from '../../options/options.js';
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { checkInitTools, type ToolLists } from './tool-check.js';
import { collectFacts, completeReport } from './tool-report.js';

const MAX_NAMES = 5;

export interface ToolWarningsOptions {
  options: Options;
  warnings: WarningReporter;
  /** Called if a tool is missing and the caller wants that to end the CLI. */
  onMissing: (error: Error) => void;
}

/** One per live CLI. */
export class ToolWarnings {
  readonly #given: ToolWarningsOptions;
  readonly #defined: () => readonly DefinedTool[];
  /** The tools about whose refusal a warning was given. */
  readonly #refused = new Set<string>();
  #lastLists: ToolLists | undefined;

  /** `defined` returns the tools that are defined at the moment. */
  constructor(given: ToolWarningsOptions, defined: () => readonly DefinedTool[]) {
    this.#given = given;
    this.#defined = defined;
  }

  /** The lists from the CLI's last turn. Undefined before its first turn. */
  get lastLists(): ToolLists | undefined {
    return this.#lastLists;
  }

  observe(message: WireObject): void {
    if (message['type'] === 'system' && message['subtype'] === 'init') this.#checkLists(message);
    if (message['type'] === 'result') this.#checkRefusals(message);
  }

  /** Warns once per change, because most turns list the same tools as the turn before. */
  #checkLists(init: WireObject): void {
    const { options, warnings } = this.#given;
    const before = this.#lastLists;
    const defined = this.#defined();
    const found = checkInitTools(defined, init);
    const lists: ToolLists = {
      ...found,
      missing: found.missing.filter(({ toolName }) => !isDenied(toolName, options)),
      deferred: found.deferred.length > 0 && searchesBySize(options) ? [] : found.deferred,
    };
    this.#lastLists = lists;
    const missing = namesOf(lists.missing);
    if (missing && missing !== namesOf(before?.missing)) {
      const text = `The CLI does not list ${missing}, although the session defines it. Servers: ${lists.servers.map(({ name, status }) => `${name} ${status}`).join(', ')}`;
      if (options.missingTools === 'error')
        this.#given.onMissing(new ToolsNotReadyError(text, completeReport(lists, defined, options)));
      else warnings.emit({ code: 'TOOLS_MISSING', message: text });
    }
    if (namesOf(lists.deferred) !== namesOf(before?.deferred)) warnOfDeferral(lists.deferred, warnings);
  }

  /**
   * Warns of the tools that a `result` reports as refused because a rule forbids them, or because no rule or callback
   * could allow them. Without the warning, the program would only see an odd answer. Does not warn where the options say
   * that the CLI must not ask.
   */
  #checkRefusals(result: WireObject): void {
    const lists = this.#lastLists;
    const denials = result['permission_denials'];
    const { options, warnings } = this.#given;
    if (lists === undefined || !Array.isArray(denials) || denials.length === 0) return;
    if (options.permissionMode === 'dontAsk' || options.permissionPrompts === 'none') return;
    const defined = this.#defined();
    for (const denial of denials as unknown[]) {
      const name = isRecord(denial) ? String(denial['tool_name']) : '';
      if (this.#refused.has(name) || !defined.some(({ toolName }) => toolName === name)) continue;
      const { causes } = diagnoseTool(name, collectFacts(lists, defined, options));
      const cause = causes.find(({ kind }) => kind === 'denied');
      if (cause === undefined) continue;
      this.#refused.add(name);
      warnings.emit({
        code: 'TOOL_NOT_ALLOWED',
        message: `The model called ${name} and the CLI refused: ${cause.reason}. ${cause.advice}`,
      });
    }
  }
}

/** Whether the CLI defers tools depending on their size. It then does not report whether it deferred them. */
function searchesBySize(options: Options): boolean {
  const { ENABLE_TOOL_SEARCH: mode } = buildEnvironment({ options, hostEnv: process.env });
  return mode?.startsWith('auto') === true;
}

function namesOf(tools: readonly DefinedTool[] | undefined): string {
  return (tools ?? []).map((tool) => tool.toolName).join(', ');
}

/** Warns of tools that the CLI keeps behind its tool search, except those whose author set `alwaysLoad` (to true or false). */
function warnOfDeferral(deferred: readonly DefinedTool[], warnings: WarningReporter): void {
  const code = 'TOOLS_DEFERRED';
  const beyond = deferred.filter(({ loading }) => loading === 'sdk');
  if (beyond.length > 0) {
    const limits = `${MAX_TOOLS_AT_ONCE} tools and ${MAX_CHARS_AT_ONCE / 1024} KiB of definitions`;
    warnings.emit({
      code,
      message: `The model does not see ${listNames(beyond)} until it searches for it: by default, at most ${limits} are sent up front. Set "alwaysLoad: true" on the tools it must see from the start, and "alwaysLoad: false" on those it may search for.`,
    });
  }
  const official = deferred.filter(({ loading }) => loading === 'cli');
  if (official.length > 0) {
    warnings.emit(
      {
        code,
        message: `The model does not see ${listNames(official)} until it searches for it. Set "alwaysLoad: true" on the tool or its server to send it up front, or to false if this is intended.`,
      },
      // This warning comes once per process, because the official SDK defers the tools of its programs too.
      `${code} official`,
    );
  }
}

function listNames(tools: readonly DefinedTool[]): string {
  const names = tools.slice(0, MAX_NAMES).map(({ toolName }) => toolName);
  const rest = tools.length - names.length;
  const list = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
  return tools.length === 1 ? list : `${tools.length} tools (${list})`;
}
