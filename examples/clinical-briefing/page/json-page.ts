// The same as the terminal page, for programs: one line of JSON for each record.
import type { BriefingError } from '../src/errors.js';
import type { PageFacts } from './terminal-page.js';

export function renderBriefing({ file, today, written }: PageFacts): string {
  const { briefing, searches, refusals, costUsd } = written;
  return JSON.stringify({ file, today, briefing, searches, refusals, costUsd });
}

export function renderFailure(file: string, { code, message }: BriefingError): string {
  return JSON.stringify({ file, error: { code, message } });
}
