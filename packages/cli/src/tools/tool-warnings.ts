// Finds problems in how the model will see tools: names, descriptions and schemas that the CLI or an API changes or
// drops.
import { rewriteName } from '@inboard/core/answer/mcp/tool/tool-name.js';
import type { HostedTool } from '../tools-file/tool-host.js';

/** A warning about one tool. */
export interface ListingWarning {
  code: string;
  tool: string;
  message: string;
}

// The longest tool name that every provider of the Messages API accepts. Some accept more.
const LONGEST_NAME = 64;
// The CLI cuts a description after this many characters.
const LONGEST_DESCRIPTION = 4096;
// This many characters are about 2,500 tokens, which are paid for with every request.
const LARGE_SCHEMA = 10_000;

/** The warnings about a list of tools. */
export function findListingWarnings(tools: readonly HostedTool[]): ListingWarning[] {
  const firsts = new Map<string, HostedTool>();
  return tools.flatMap((tool) => {
    const first = firsts.get(tool.toolName);
    if (!first) firsts.set(tool.toolName, tool);
    return judgeTool(tool, first).map(([code, message]) => ({ code, tool: tool.toolName, message }));
  });
}

function judgeTool({ server, toolName, listing }: HostedTool, first: HostedTool | undefined): Finding[] {
  const findings: Finding[] = [];
  if (first) {
    findings.push([
      'DUPLICATE_NAME',
      `has the same name for the model as "${first.listing.name}" of the server "${first.server}", and the model gets only that one`,
    ]);
  }
  for (const [what, name] of [
    ['server', server],
    ['tool', listing.name],
  ] as const) {
    if (rewriteName(name) !== name) {
      findings.push([
        'NAME_REWRITTEN',
        `is rewritten: the ${what} "${name}" has characters besides letters, digits, "_" and "-"`,
      ]);
    }
  }
  if (toolName.length > LONGEST_NAME) {
    findings.push([
      'NAME_TOO_LONG',
      `has ${toolName.length} characters; model APIs may refuse more than ${LONGEST_NAME}`,
    ]);
  }
  return [...findings, ...judgeDescription(listing['description']), ...judgeSchema(listing['inputSchema'])];
}

type Finding = [code: string, message: string];

function judgeDescription(description: unknown): Finding[] {
  if (typeof description !== 'string' || description.trim() === '') {
    return [['NO_DESCRIPTION', 'has no description: the model has only its name to go by']];
  }
  if (description.length <= LONGEST_DESCRIPTION) return [];
  return [
    [
      'DESCRIPTION_CUT',
      `has a description of ${description.length} characters; the CLI cuts it at ${LONGEST_DESCRIPTION}`,
    ],
  ];
}

function judgeSchema(schema: unknown): Finding[] {
  if (typeof schema !== 'object' || schema === null || (schema as { type?: unknown }).type !== 'object') {
    return [
      [
        'SCHEMA_UNUSABLE',
        'has an inputSchema that is not an object: because of it, the CLI drops all tools of the server',
      ],
    ];
  }
  const findings: Finding[] = [];
  const union = ['anyOf', 'oneOf', 'allOf'].find((word) => word in schema);
  if (union !== undefined) {
    findings.push([
      'SCHEMA_DROPPED',
      `has "${union}" at the top of its inputSchema: the CLI drops such a tool`,
    ]);
  }
  const size = JSON.stringify(schema).length;
  if (size > LARGE_SCHEMA) {
    findings.push([
      'SCHEMA_LARGE',
      `has an inputSchema of ${size} characters, which are sent with every request`,
    ]);
  }
  return findings;
}
