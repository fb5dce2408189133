// Draws a step that differs between the two sessions, or that only one of them has.
import { useSignal } from '@preact/signals';
import type { ComparedStep, Difference } from '../../../../model/fleet/compare/compare-steps.js';
import type { ValueChange } from '@inboard/core/util/diff-values.js';
import { diffText, type DiffPart } from '../../../../model/fleet/compare/diff-text.js';
import { outputText, type StoryStep } from '../../../../model/fleet/compare/story-step.js';
import { formatCount, formatDuration } from '../../../../model/format.js';
import { Badge } from '../../../components/badge.js';
import { SideMark } from './compare-head.js';
import { stepNameOf, tellDifferences, stepTextOf } from './step-words.js';

export function DifferingStep({ step: { left, differences } }: { step: ComparedStep }) {
  if (!left) return null;
  return (
    <article class="compare-step">
      <StepHead step={left} badge={`Differs: ${tellDifferences(differences)}`} tone="permission" />
      {differences.map((difference) => (
        <div key={difference.what} class="compare-difference">
          {difference.what !== 'input' && differences.length > 1 && (
            <p class="compare-label soft">{tellDifferences([difference])}</p>
          )}
          <Shown difference={difference} />
        </div>
      ))}
    </article>
  );
}

export function OneSidedStep({ side, step }: { side: 'A' | 'B'; step: StoryStep }) {
  const { item } = step;
  const output = item.kind === 'call' ? outputText(item.output) : '';
  return (
    <article class={`compare-step compare-only compare-only-${side.toLowerCase()}`}>
      <StepHead step={step} badge={`Only in ${side}`} tone="accent" />
      <div class="compare-cell">
        <SideMark side={side} />
        <div class="compare-text">
          {item.kind === 'call' && item.input ? (
            <Fields input={item.ranInput ?? item.input} />
          ) : (
            <LongText parts={[{ in: 'both', text: stepTextOf(item) }]} />
          )}
          {output !== '' && (
            <div class="compare-output soft">
              <LongText parts={[{ in: 'both', text: output }]} />
            </div>
          )}
        </div>
      </div>
    </article>
  );
}

const MOST_FIELDS = 20;

function Fields({ input }: { input: Record<string, unknown> }) {
  return (
    <dl class="compare-fields">
      {Object.entries(input)
        .slice(0, MOST_FIELDS)
        .map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd>
              <LongText parts={[{ in: 'both', text: tellValue(value) }]} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function StepHead({ step, badge, tone }: { step: StoryStep; badge: string; tone: 'permission' | 'accent' }) {
  return (
    <header class="compare-step-head">
      <h3>{stepNameOf(step.item)}</h3>
      {step.depth > 0 && <span class="soft small">in a subagent</span>}
      <Badge tone={tone}>{badge}</Badge>
    </header>
  );
}

function Shown({ difference }: { difference: Difference }) {
  switch (difference.what) {
    case 'input':
      return <Changes changes={difference.changes} />;
    case 'text':
    case 'output':
      return <Texts left={difference.left} right={difference.right} />;
    case 'duration':
      return <Two left={formatDuration(difference.left)} right={formatDuration(difference.right)} />;
    case 'tokens':
      return (
        <Two
          left={`${formatCount(difference.left)} tokens`}
          right={`${formatCount(difference.right)} tokens`}
        />
      );
    default:
      return <Two left={difference.left} right={difference.right} />;
  }
}

function Two({ left, right }: { left: string; right: string }) {
  return (
    <div class="compare-two">
      <div class="compare-cell">
        <SideMark side="A" />
        <span class="compare-text number">{left}</span>
      </div>
      <div class="compare-cell">
        <SideMark side="B" />
        <span class="compare-text number">{right}</span>
      </div>
    </div>
  );
}

function Texts({ left, right }: { left: string; right: string }) {
  const parts = diffText(left, right);
  return (
    <div class="compare-two">
      <div class="compare-cell">
        <SideMark side="A" />
        <LongText parts={parts.filter((part) => part.in !== 'right')} />
      </div>
      <div class="compare-cell">
        <SideMark side="B" />
        <LongText parts={parts.filter((part) => part.in !== 'left')} />
      </div>
    </div>
  );
}

function Changes({ changes }: { changes: readonly ValueChange[] }) {
  return (
    <dl class="compare-changes">
      {changes.map(({ path, left, right }) => (
        <div key={JSON.stringify(path)} class="compare-change">
          <dt class="mono">{path.join('.')}</dt>
          <dd>
            <Two left={tellValue(left)} right={tellValue(right)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function tellValue(value: unknown): string {
  return value === undefined
    ? 'not given'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 1);
}

const LONG = 1200;

/** A text in which the words of only one side are marked; a long text is folded. */
function LongText({ parts }: { parts: readonly DiffPart[] }) {
  const isWhole = useSignal(false);
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const shown = isWhole.value || length <= LONG ? parts : cutParts(parts, LONG);
  return (
    <div class="compare-text">
      {shown.map(({ in: where, text }, index) => {
        // Words of only one side are struck out or underlined, not only coloured.
        if (where === 'left') return <del key={index}>{text}</del>;
        return where === 'right' ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>;
      })}
      {length > LONG && (
        <button
          type="button"
          class="text-button"
          aria-expanded={isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? 'show less' : `… ${formatCount(length - LONG)} more characters`}
        </button>
      )}
    </div>
  );
}

function cutParts(parts: readonly DiffPart[], most: number): DiffPart[] {
  const kept: DiffPart[] = [];
  let room = most;
  for (const part of parts) {
    if (room <= 0) break;
    kept.push({ ...part, text: part.text.slice(0, room) });
    room -= part.text.length;
  }
  return kept;
}
