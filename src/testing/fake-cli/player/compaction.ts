// What a CLI tells when it replaces the conversation by a summary.
import type { FakeConversation } from './fake-conversation.js';
import type { MessageWriter } from '../host/message-writer.js';

/** Compacts: in a turn because it has become too long, outside as the answer to a prompt. */
export async function playCompaction(conversation: FakeConversation, writer: MessageWriter): Promise<void> {
  const isOwnTurn = conversation.turn === undefined;
  const turn = await conversation.needTurn();
  await conversation.fireHooks('PreCompact', {
    trigger: isOwnTurn ? 'manual' : 'auto',
    custom_instructions: null,
  });
  writer.system('status', { status: 'compacting' });
  writer.system('status', { status: null, ...(writer.isOld ? {} : { compact_result: 'success' }) });
  writer.system('compact_boundary', {
    compact_metadata: { trigger: isOwnTurn ? 'manual' : 'auto', pre_tokens: 15 },
  });
  writer.user('This session is being continued from a previous conversation that ran out of context.', {
    isSynthetic: true,
  });
  if (!isOwnTurn) return;
  writer.user('<local-command-stdout>Compacted </local-command-stdout>', { isReplay: true });
  turn.userLines = -1;
  conversation.finishTurn({ text: '' });
}
