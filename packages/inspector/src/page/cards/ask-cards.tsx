// The cards for questions of MCP servers and of the CLI. They ask for values that fit a schema, for a visit to a page, or for
// the answer to a dialog.
import { asString } from '@inboard/core/util/guards.js';
import { Button } from '../components/button.js';
import { CopyButton } from '../components/copy-button.js';
import { Icon } from '../components/icons.js';
import { JsonView } from '../components/json-view.js';
import { submitForm, type CardUse } from './answer-card.js';
import { cardId, CardParts } from './card-frame.js';
import { FormEditor } from './form/form-editor.js';

export function ElicitationCard({ use }: { use: CardUse }) {
  const { question, answer } = use;
  const { url, message } = question.input;
  const address = asString(url);
  return (
    <CardParts
      use={use}
      foot={
        <Buttons
          use={use}
          yes={address === undefined ? 'Send' : 'Done'}
          no="Decline"
          onYes={() => (address === undefined ? submitForm(use) : answer({ kind: 'allow' }))}
        />
      }
    >
      {typeof message === 'string' && message !== question.title && message !== question.description && (
        <p class="qcard-text" dir="auto">
          {message}
        </p>
      )}
      {address === undefined ? question.schema && <AskForm use={use} /> : <Address url={address} />}
    </CardParts>
  );
}

export function DialogCard({ use }: { use: CardUse }) {
  const { question } = use;
  return (
    <CardParts
      use={use}
      foot={<Buttons use={use} yes="Complete" no="Cancel" onYes={() => submitForm(use)} />}
    >
      <JsonView value={question.input} copyLabel="Copy what the dialog says" />
      <AskForm use={use} />
    </CardParts>
  );
}

function AskForm({ use: { question, draft, set } }: { use: CardUse }) {
  const { form, isTried, error, state } = draft.value;
  return (
    <FormEditor
      label={`Answer to ${question.title}`}
      heading="Answer"
      id={`${cardId(question)}-input`}
      draft={form}
      onChange={(next) => set({ form: next })}
      schema={question.schema}
      issues={error?.issues}
      isTried={isTried}
      isOff={!question.canAnswer || state !== 'open'}
    />
  );
}

/** Shows an address as text. If it is http or https, a link beside it opens it. */
function Address({ url }: { url: string }) {
  const target = webAddress(url);
  return (
    <div class="qcard-address">
      <code>{url}</code>
      <CopyButton text={url} label="Copy the address" />
      {target === undefined ? (
        <p class="field-hint">It is not a web address, so this page does not open it.</p>
      ) : (
        <a class="button button-normal" href={target} target="_blank" rel="noopener noreferrer">
          <Icon name="external" />
          <span class="button-text">Open {new URL(target).host}</span>
        </a>
      )}
    </div>
  );
}

function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

interface ButtonsProps {
  use: CardUse;
  yes: string;
  no: string;
  onYes: () => void;
}

function Buttons({ use: { answer }, yes, no, onYes }: ButtonsProps) {
  return (
    <div class="qcard-buttons">
      <Button look="primary" icon="check" class="qcard-yes" shortcut="a" onClick={onYes}>
        {yes}
      </Button>
      <Button look="danger" class="qcard-no" shortcut="d" onClick={() => answer({ kind: 'decline' })}>
        {no}
      </Button>
    </div>
  );
}
