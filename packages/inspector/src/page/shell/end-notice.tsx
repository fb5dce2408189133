// Says that the program behind the page has ended, and how; offers to save what is here, and tells how to record the next run.
// It also says that a program has done its work and waits for the page to be closed.
import { useSignal } from '@preact/signals';
import type { ServerEnd } from '../../model/page-contract.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { Button } from '../components/button.js';
import { CopyButton } from '../components/copy-button.js';
import { Icon } from '../components/icons.js';
import { showToast } from '../components/toast.js';
import type { Store } from '../store/store.js';
import { saveRun } from './save-run.js';

interface Words {
  tone: 'good' | 'error' | 'permission' | 'overhead';
  title: string;
  more: string;
}

export function EndNotice({ store }: { store: Store }) {
  const isHidden = useSignal(false);
  const program = store.state.value?.program;
  const end = store.end.value ?? store.state.value?.end;
  const { tone, title, more } = end ? describeEnd(end) : HELD;
  if (isHidden.value) return null;
  const command = program?.recordCommand;
  return (
    <section class={`end-notice tone-${tone}`} aria-label="The end of the program">
      <Icon name={tone === 'good' ? 'check' : tone === 'overhead' ? 'clock' : 'warning'} />
      <div class="end-words" role="status">
        <p class="end-title">{title}</p>
        <p class="end-more">{more}</p>
      </div>
      <div class="end-actions">
        {store.source.kept && (
          <Button look="primary" icon="save" onClick={() => save(store)}>
            Save this run
          </Button>
        )}
        <Button
          look="plain"
          icon="cross"
          label="Close this notice"
          onClick={() => {
            isHidden.value = true;
          }}
        />
      </div>
      {command !== undefined && end && (
        <p class="end-record">
          <span>To record the next run:</span>
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </p>
      )}
    </section>
  );
}

/** Saves the run, and says how that went. */
function save(store: Store): void {
  saveRun(store).then(
    (said) => showToast(said),
    (error: unknown) => showToast(`The run could not be saved: ${messageOf(error)}`, 'error'),
  );
}

const HELD: Words = {
  tone: 'overhead',
  title: 'The program has done its work',
  more: 'It is held until this page is closed, so everything here still answers.',
};
const KEPT = 'What it sent is kept on this page until you close or reload it.';

function describeEnd({ how, exitCode = 0, error }: ServerEnd): Words {
  if (how === 'closed')
    return {
      tone: 'overhead',
      title: 'The inspector was closed',
      more: `Its program may go on without it. ${KEPT}`,
    };
  if (how === 'silent')
    return {
      tone: 'error',
      title: 'The program is gone, and did not say why',
      more: `It was killed, or cannot be reached. What had not been sent is missing. ${KEPT}`,
    };
  if (error !== undefined)
    return {
      tone: 'error',
      title: `The program ended with an uncaught error, exit code ${exitCode}`,
      more: `${error}. ${KEPT}`.replace('.. ', '. '),
    };
  return {
    tone: exitCode === 0 ? 'good' : 'error',
    title:
      exitCode === 0 ? 'The program has ended normally' : `The program has ended with exit code ${exitCode}`,
    more: KEPT,
  };
}
