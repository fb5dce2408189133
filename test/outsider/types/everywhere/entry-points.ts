// Every entry point compiles in a project that has nothing but the types of Node.
// To add a case: write what a user would write, in the file of its topic or a new one. What must not compile has
// `// @ts-expect-error` and the reason on the line before it. Files in `everywhere` are compiled in every project of
// `../projects.mjs`; those in `bare` where nothing else is installed; those in `full` beside zod, @opentelemetry/api and
// @anthropic-ai/sdk. Then: npm run build && node scripts/check-types.mjs
import * as main from 'inboard';
import * as acp from 'inboard/acp';
import * as core from 'inboard/core';
import * as testing from 'inboard/testing';
import * as trace from 'inboard/trace';
import * as ui from 'inboard/ui';
import type * as tools from 'inboard/sdk-tools';
import type { ToolWarning } from 'inboard/types';
import type * as toolsWithEnding from 'inboard/sdk-tools.js';

export const entryPoints = [main, acp, core, testing, trace, ui];
export type Inputs = [tools.BashInput, toolsWithEnding.FileEditInput, ToolWarning];
