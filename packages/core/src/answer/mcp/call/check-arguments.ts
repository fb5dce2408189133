// Checks the arguments of a call against the schema of its tool. This happens before the handler runs, and before a
// person is asked about the call.
import { isThenable } from '../../../util/guards.js';
import type { SchemaIssue, ValidationResult } from '../../schema/compile-schema.js';
import { showChoice } from '../../schema/compiled-schema.js';
import { listIssues } from '../../schema/list-issues.js';
import type { CompiledTool } from '../tool/compiled-tool.js';

/** The arguments as the handler gets them, or what is wrong with them. */
export function checkArguments(
  tool: CompiledTool,
  args: unknown,
): ValidationResult | Promise<ValidationResult> {
  // The CLI always sends an object. Other callers may leave the arguments out.
  return tool.input.validate(args ?? {});
}

/** The text for the model about arguments that do not fit. */
export function explainArguments(tool: CompiledTool, issues: readonly SchemaIssue[], args: unknown): string {
  const named = issues.map((issue) => nameReceived(issue, args));
  return `The arguments of the tool "${tool.name}" are not valid:\n${listIssues(named)}`;
}

// Matches messages of zod 4 that name the choices but not the value received. The author's own messages do not match.
const CHOICE = /^Invalid (?:option|input): expected (?:one of )?(?:["\d-]|true|false|null)(?!.*, received )/s;

function nameReceived(issue: SchemaIssue, args: unknown): SchemaIssue {
  const { path, message } = issue;
  if (!CHOICE.test(message)) return issue;
  let received = args;
  for (const key of path) received = (received as Record<string, unknown> | null | undefined)?.[key];
  return { path, message: `${message}, received ${showChoice(received)}` };
}

/** Why a call with these arguments would be refused; undefined if it would not be. */
export function findArgumentProblem(
  tool: CompiledTool,
  args: unknown,
): string | undefined | Promise<string | undefined> {
  const explain = (checked: ValidationResult): string | undefined =>
    checked.ok ? undefined : explainArguments(tool, checked.issues, args);
  try {
    const checked = checkArguments(tool, args);
    // A check that fails itself says nothing about the arguments. The call will report the failure.
    return isThenable(checked) ? checked.then(explain, () => undefined) : explain(checked);
  } catch {
    return undefined;
  }
}
