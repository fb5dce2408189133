// The warning about calls of this process's tools that the CLI refused because nobody could allow them: the model is told
// so, and the program would see nothing but an odd answer.
import type { DefinedTool } from '../../answer/mcp/tool/defined-tool.js';
import type { WarningReporter } from '../../options/check/warning-reporter.js';
import type { Options } from '../../options/options.js';
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { diagnoseTool } from '../../answer/diagnosis/diagnose-tool.js';
import type { ToolLists } from './tool-check.js';
import { collectFacts } from './tool-report.js';

/** What a live CLI knows about its tools when a turn ends; `told` has the tools that were warned of. */
export interface RefusalFacts {
  lists: ToolLists;
  defined: readonly DefinedTool[];
  options: Options;
  warnings: WarningReporter;
  told: Set<string>;
}

/** Warns of the tools that a `result` reports as refused; not where the options say that nobody is to be asked. */
export function warnOfRefusals(result: WireObject, facts: RefusalFacts): void {
  const denials = result['permission_denials'];
  const { lists, defined, options, warnings, told } = facts;
  if (!Array.isArray(denials) || denials.length === 0) return;
  if (options.permissionMode === 'dontAsk' || options.permissionPrompts === 'none') return;
  for (const denial of denials as unknown[]) {
    const name = isRecord(denial) ? String(denial['tool_name']) : '';
    if (told.has(name) || !defined.some(({ toolName }) => toolName === name)) continue;
    const { causes } = diagnoseTool(name, collectFacts(lists, defined, options));
    const cause = causes.find(({ kind }) => kind === 'denied');
    if (cause === undefined) continue;
    told.add(name);
    warnings.emit({
      code: 'TOOL_NOT_ALLOWED',
      message: `The model called ${name} and the CLI refused: ${cause.reason}. ${cause.advice}`,
    });
  }
}
