// The steps of two sessions. Steps that differ are shown, equal ones are folded.
import { useSignal } from '@preact/signals';
import type { Comparison } from '../../../../model/fleet/compare/compare-sessions.js';
import type { ComparedStep, FoldedSteps } from '../../../../model/fleet/compare/compare-steps.js';
import { formatCountOf } from '../../../../model/format.js';
import { Button } from '../../../components/button.js';
import { Icon } from '../../../components/icons.js';
import { DifferingStep, OneSidedStep } from './differing-step.js';
import { stepLineOf, stepNameOf } from './step-words.js';

const AT_ONCE = 100;

export function CompareSteps({
  counts,
  stretches,
}: {
  counts: Comparison['counts'];
  stretches: FoldedSteps[];
}) {
  const shown = useSignal(AT_ONCE);
  return (
    <section class="compare-steps" aria-label="Steps">
      <h2>{tellCounts(counts)}</h2>
      <ol>
        {stretches.slice(0, shown.value).map((stretch, index) => (
          <li key={keyOf(stretch, index)}>
            {stretch.kind === 'same' ? <SameSteps steps={stretch.steps} /> : <Step step={stretch.step} />}
          </li>
        ))}
      </ol>
      {stretches.length > shown.value && (
        <Button onClick={() => (shown.value += AT_ONCE)}>
          {`Show ${Math.min(AT_ONCE, stretches.length - shown.value)} more of ${stretches.length - shown.value}`}
        </Button>
      )}
    </section>
  );
}

function keyOf(stretch: FoldedSteps, index: number): string {
  if (stretch.kind === 'same') return `same ${index}`;
  const { left, right } = stretch.step;
  return `${left?.item.key ?? ''}|${right?.item.key ?? ''}`;
}

function tellCounts({ differs, left, right, same }: Comparison['counts']): string {
  const parts = [
    differs > 0 && formatCountOf(differs, 'step differs', 'steps differ'),
    left > 0 && `${left} only in A`,
    right > 0 && `${right} only in B`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return same === 0 ? 'Nothing to compare yet' : 'Every step is the same';
  return `${parts.join(', ')}${same > 0 ? `; ${same} the same` : ''}`;
}

function Step({ step }: { step: ComparedStep }) {
  const { verdict, left, right } = step;
  if (verdict === 'differs') return <DifferingStep step={step} />;
  const only = left ?? right;
  return only ? <OneSidedStep side={left ? 'A' : 'B'} step={only} /> : null;
}

function SameSteps({ steps }: { steps: readonly ComparedStep[] }) {
  const isOpen = useSignal(false);
  return (
    <div class="compare-same">
      <button
        type="button"
        class="compare-fold"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name={isOpen.value ? 'down' : 'right'} />
        {formatCountOf(steps.length, 'equal step')}
      </button>
      {isOpen.value && (
        <ol class="compare-same-steps">
          {steps.map(
            ({ left }) =>
              left && (
                <li key={left.item.key} class="cut">
                  <span class="compare-name">{stepNameOf(left.item)}</span>
                  <span class="soft">{stepLineOf(left.item)}</span>
                </li>
              ),
          )}
        </ol>
      )}
    </div>
  );
}
