// Restores files to their state at a prompt. It first shows what would change, and then asks for confirmation.
import { useSignal } from '@preact/signals';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { formatCountOf, formatClock } from '../../model/format.js';
import type { ActionResult } from '../../model/page-contract.js';
import type { PromptStoryItem } from '../../model/story/story-item.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { Icon } from '../components/icons.js';
import type { Store } from '../store/store.js';
import { act } from './answer-card.js';

export interface RewindDialogProps {
  store: Store;
  session: string;
  /** Is called with a text about what changed. */
  onDone: (text: string) => void;
  onClose: () => void;
}

/** What the CLI says would change. */
interface Preview {
  canRewind: boolean;
  files: readonly string[];
  text: string;
}

export function RewindDialog({ store, session, onDone, onClose }: RewindDialogProps) {
  const chosen = useSignal<string | undefined>(undefined);
  const preview = useSignal<Preview | undefined>(undefined);
  const isBusy = useSignal(false);
  const prompts = listPrompts(store);
  const rewind = async (messageId: string, dryRun: boolean): Promise<ActionResult> => {
    isBusy.value = true;
    const result = await act(() => store.source.act({ action: 'rewind', session, messageId, dryRun }));
    isBusy.value = false;
    return result;
  };
  const look = async (messageId: string): Promise<void> => {
    chosen.value = messageId;
    preview.value = undefined;
    const result = await rewind(messageId, true);
    // The person may have chosen another prompt meanwhile.
    if (chosen.value === messageId) preview.value = readPreview(result);
  };
  const confirm = async (messageId: string): Promise<void> => {
    const result = await rewind(messageId, false);
    const done = readPreview(result);
    if (!done.canRewind) {
      preview.value = done;
      return;
    }
    onDone(`Files restored: ${done.text}`);
    onClose();
  };
  const { value: shown } = preview;
  return (
    <Dialog title="Rewind files" onClose={onClose}>
      <p class="soft small">
        Files that the session changed go back to how they were when a prompt was sent. The conversation
        stays.
      </p>
      {prompts.length === 0 && <p class="rewind-none">There is no prompt to go back to yet.</p>}
      <ul class="rewind-list">
        {prompts.map(({ messageId, text, t }) => (
          <li key={messageId}>
            <button
              type="button"
              class="rewind-prompt"
              aria-pressed={chosen.value === messageId}
              onClick={() => void look(messageId as string)}
            >
              <span class="number faint">{formatClock(t)}</span>
              <bdi class="cut">{text}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {chosen.value !== undefined && !shown && <p class="soft small">Asking what would change…</p>}
      {shown && (
        <div class={shown.canRewind ? 'rewind-preview' : 'qcard-error'} role="status">
          {!shown.canRewind && <Icon name="warning" />}
          <div>
            <p>{shown.text}</p>
            <ul class="mono rewind-files">
              {shown.files.slice(0, 50).map((file) => (
                <li key={file}>{file}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {shown?.canRewind && (
        <Button
          look="danger"
          icon="back"
          offBecause={isBusy.value ? 'One moment' : undefined}
          onClick={() => void confirm(chosen.value as string)}
        >
          Restore the files
        </Button>
      )}
    </Dialog>
  );
}

function listPrompts(store: Store): PromptStoryItem[] {
  const current = store.current.value;
  if (!current || current.revision.value < 0) return [];
  return current.model.story.items
    .filter((item): item is PromptStoryItem => item.kind === 'prompt' && item.messageId !== undefined)
    .toReversed();
}

function readPreview(result: ActionResult): Preview {
  if (!result.ok) return { canRewind: false, files: [], text: result.error.message };
  const told = isRecord(result.result) ? result.result : {};
  const files = Array.isArray(told['filesChanged']) ? told['filesChanged'].map(String) : [];
  if (told['canRewind'] === false)
    return {
      canRewind: false,
      files,
      text: asString(told['error']) ?? 'The CLI cannot go back to this prompt.',
    };
  const lines = [told['insertions'], told['deletions']].map((count) =>
    typeof count === 'number' ? count : 0,
  );
  return {
    canRewind: true,
    files,
    text: `${formatCountOf(files.length, 'file')} changed, ${formatCountOf(lines[0] ?? 0, 'line')} added, ${formatCountOf(lines[1] ?? 0, 'line')} removed.`,
  };
}
