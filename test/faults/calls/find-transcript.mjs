// The transcript of a cell's session on disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Its path; undefined where there is none. */
export function findTranscript({ sessionId, options }) {
  const projects = join(options.env.CLAUDE_CONFIG_DIR, 'projects');
  const names = existsSync(projects) ? readdirSync(projects, { recursive: true }) : [];
  const found = names.find((name) => String(name).endsWith(`${sessionId}.jsonl`));
  return found === undefined ? undefined : join(projects, String(found));
}

/** Whether all calls of the cell are in it. */
export function hasCalls(plan) {
  const path = findTranscript(plan);
  const text = path === undefined ? '' : readFileSync(path, 'utf8');
  return text.split('"name":"mcp__shop__pay","input"').length > plan.cell.calls;
}
