// Reads an output that was cut for the page, from its whole event.
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { readOutcomes, readOutput } from '../../../model/story/read-output.js';
import type { CallItem, OutputPart } from '../../../model/story/story-item.js';
import type { PageSource } from '../../page-source.js';

/** The whole output of a call; undefined if the source no longer has it. */
export async function readWholeOutput(
  source: PageSource,
  session: string,
  { resultN, toolUseId }: Pick<CallItem, 'resultN' | 'toolUseId'>,
): Promise<OutputPart[] | undefined> {
  const line = resultN === undefined ? undefined : await source.readWhole(session, resultN);
  const frame = line === undefined ? undefined : parseRecord(line)?.['frame'];
  if (!isRecord(frame)) return undefined;
  const outcome = readOutcomes(frame, blocksOf(frame)).find((one) => one.toolUseId === toolUseId);
  return outcome && readOutput(outcome.content);
}
