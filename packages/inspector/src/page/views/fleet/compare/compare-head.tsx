// The two sessions that are compared: A and B.
import type { ComponentChildren } from 'preact';
import type { SessionSummary } from '../../../../model/session-summary.js';
import { SessionStateMark } from '../session-state.js';

export function CompareHead({ one, other }: { one: SessionSummary; other: SessionSummary }) {
  return (
    <div class="compare-two compare-head">
      <Side side="A" session={one} />
      <Side side="B" session={other} />
    </div>
  );
}

function Side({ side, session }: { side: 'A' | 'B'; session: SessionSummary }) {
  return (
    <div class="compare-side">
      <SideMark side={side} />
      <div class="compare-who">
        <h2 class="compare-title" dir="auto">
          {session.title}
        </h2>
        <p class="compare-facts soft small">
          <SessionStateMark session={session} />
          {session.model !== undefined && <span>{session.model}</span>}
          {session.file !== undefined && <span class="mono">{session.file}</span>}
        </p>
      </div>
    </div>
  );
}

export function SideMark({ side, children }: { side: 'A' | 'B'; children?: ComponentChildren }) {
  return (
    <span class={`side-mark side-${side.toLowerCase()}`}>
      {side}
      {children}
    </span>
  );
}
