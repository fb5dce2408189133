// What a CLI tells when it replaces the conversation by a summary.
import type { FakeConversation } from './fake-conversation.js';
import type { FakeVoice } from './fake-voice.js';

/** Compacts: in a turn because it has become too long, outside as the answer to a prompt. */
export async function playCompaction(conversation: FakeConversation, voice: FakeVoice): Promise<void> {
  const isOwnTurn = conversation.turn === undefined;
  const turn = await conversation.needTurn();
  await conversation.fireHooks('PreCompact', {
    trigger: isOwnTurn ? 'manual' : 'auto',
    custom_instructions: null,
  });
  voice.system('status', { status: 'compacting' });
  voice.system('status', { status: null, ...(voice.isOld ? {} : { compact_result: 'success' }) });
  voice.system('compact_boundary', {
    compact_metadata: { trigger: isOwnTurn ? 'manual' : 'auto', pre_tokens: 15 },
  });
  voice.user('This session is being continued from a previous conversation that ran out of context.', {
    isSynthetic: true,
  });
  if (!isOwnTurn) return;
  voice.user('<local-command-stdout>Compacted </local-command-stdout>', { isReplay: true });
  turn.userLines = -1;
  conversation.finishTurn({ text: '' });
}
