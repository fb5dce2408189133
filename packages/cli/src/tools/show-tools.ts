// `inboard tools`: shows how the model will see the tools of a file.
import { ToolServer } from '@inboard/core/answer/mcp/server/tool-server.js';
import { readSwitch, type CommandInput } from '../command.js';
import { loadTools } from '../tools-file/load-tools.js';
import { createStyler, noteLine, printJson, printLine, type Terminal } from '../terminal/terminal.js';
import { styled } from '../terminal/styled-text.js';
import { ToolHost, type HostedTool } from '../tools-file/tool-host.js';
import { formatSignature, listDescriptions } from './signature.js';
import { findListingWarnings, type ListingWarning } from './tool-warnings.js';
import { EXIT_CODES } from '../terminal/usage-error.js';

/** Lists the tools of a file, with warnings. With `--strict`, the exit code is 1 if there are warnings. */
export async function showTools(input: CommandInput): Promise<number> {
  const { terminal, args } = input;
  const { servers, warnings: atLoading } = await loadTools(args[0] ?? '', terminal.cwd);
  // Warnings about names are found again below, together with their tool.
  const warnings = atLoading.filter(({ code }) => !code.startsWith('INBOARD_TOOL_NAME_'));
  const host = new ToolHost(servers, {
    onWarning: ({ code, message }) => warnings.push({ code, message }),
  });
  try {
    await host.open(terminal.signal);
    const tools = await host.listTools(terminal.signal);
    const aboutTools = findListingWarnings(tools);
    if (readSwitch(input, 'json')) {
      const report = {
        servers: Object.entries(servers).map(([name, { instance }]) => ({
          name,
          // `foreign` is a server of another copy of this package, or of the MCP libraries.
          kind: (instance as unknown) instanceof ToolServer ? 'inboard' : 'foreign',
        })),
        tools: tools.map(({ server, toolName, listing }) => ({ server, toolName, ...listing })),
        warnings: [...warnings, ...aboutTools],
      };
      printJson(terminal, report, 2);
    } else {
      printTools(terminal, tools, aboutTools);
      for (const { message } of warnings) noteLine(terminal, `Warning: ${message}`);
    }
    const hasWarnings = warnings.length + aboutTools.length > 0;
    return hasWarnings && readSwitch(input, 'strict') ? EXIT_CODES.failed : EXIT_CODES.ok;
  } finally {
    host.close();
  }
}

function printTools(
  terminal: Terminal,
  tools: readonly HostedTool[],
  warnings: readonly ListingWarning[],
): void {
  const style = createStyler(terminal);
  if (tools.length === 0) printLine(terminal, 'No tools.');
  for (const { toolName, listing } of tools) {
    const { description, inputSchema, outputSchema, annotations } = listing;
    const signature = formatSignature(toolName, inputSchema, outputSchema);
    printLine(terminal, styled`${style('bold', toolName)}${signature.slice(toolName.length)}`);
    if (typeof description === 'string' && description !== '') printLine(terminal, indent(description));
    for (const field of listDescriptions(inputSchema)) {
      printLine(terminal, style('dim', indent(`${field.name}: ${field.description}`)));
    }
    if (annotations !== undefined) printLine(terminal, indent(`hints: ${JSON.stringify(annotations)}`));
    for (const { message } of warnings.filter(({ tool }) => tool === toolName)) {
      printLine(terminal, style('yellow', indent(`warning: ${message}`)));
    }
    printLine(terminal);
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
