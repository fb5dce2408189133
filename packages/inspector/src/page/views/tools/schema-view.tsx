// Shows a tool's schema: its signature, its fields in words, and the schema itself.
import { useSignal } from '@preact/signals';
import { describeFields, describeSignature } from '../../../model/form/describe-schema.js';
import type { Schema } from '../../../model/form/form-shape.js';
import type { ToolEntry } from '../../../model/tools/tool-entry.js';
import { Button } from '../../components/button.js';
import { JsonView } from '../../components/json-view.js';

export function SchemaView({ tool }: { tool: ToolEntry }) {
  const { inputSchema, outputSchema } = tool;
  return (
    <section class="tool-section" aria-label="Schema">
      <h3>Input</h3>
      {inputSchema ? (
        <OneSchema name={tool.name} schema={inputSchema} />
      ) : (
        <p class="soft small">
          {tool.server === undefined
            ? 'The CLI does not report the schemas of its own tools.'
            : 'It is not on the wire: only the CLI and the server know it.'}
        </p>
      )}
      {outputSchema && (
        <>
          <h3>Output</h3>
          <OneSchema name={undefined} schema={outputSchema} />
        </>
      )}
    </section>
  );
}

function OneSchema({ name, schema }: { name: string | undefined; schema: Schema }) {
  const isRaw = useSignal(false);
  const rows = describeFields(schema);
  return (
    <>
      <div class="schema-head">
        {name !== undefined && <code class="schema-signature">{describeSignature(name, schema)}</code>}
        <Button
          look="plain"
          icon="code"
          isPressed={isRaw.value}
          onClick={() => {
            isRaw.value = !isRaw.value;
          }}
        >
          JSON Schema
        </Button>
      </div>
      {isRaw.value ? (
        <JsonView value={schema} openDepth={4} copyLabel="Copy the schema" />
      ) : rows.length === 0 ? (
        <p class="soft small">It takes no fields.</p>
      ) : (
        <dl class="schema-fields">
          {rows.map(({ name: field, type, isRequired, description, depth }) => (
            <div key={field} class={`schema-depth-${depth}`}>
              <dt>
                <code>{field}</code>
                {!isRequired && <span class="field-hint">optional</span>}
              </dt>
              <dd>
                <span class="schema-type">{type}</span>
                {description !== undefined && <span class="soft">{description}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
