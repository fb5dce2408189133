// Keeps an error in one view from breaking the whole page.
import { Component, type ComponentChildren } from 'preact';
import { messageOf } from '@inboard/core/util/message-of.js';
import { Button } from './button.js';
import { Empty } from './empty.js';
import { PartMissing } from './late-view.js';

interface Props {
  /** What failed, for the title: "Timeline". */
  name: string;
  /** If false, a part that has not come is left out: nothing is in it now. */
  isNeeded?: boolean | undefined;
  children: ComponentChildren;
}

export class FaultBoundary extends Component<Props, { fault: unknown }> {
  override state = { fault: undefined };

  static override getDerivedStateFromError(fault: unknown): { fault: unknown } {
    return { fault };
  }

  override render() {
    const { fault } = this.state as { fault: unknown };
    if (fault === undefined) return this.props.children;
    const { name, isNeeded = true } = this.props;
    const isMissing = fault instanceof PartMissing;
    if (isMissing && !isNeeded) return null;
    return (
      <Empty icon="warning" title={`${name} could not be ${isMissing ? 'loaded' : 'shown'}`}>
        <p>{isMissing ? fault.message : 'The agent is not affected, and other views still work.'}</p>
        {!isMissing && (
          <pre>{fault instanceof Error ? (fault.stack ?? fault.message) : messageOf(fault)}</pre>
        )}
        <Button onClick={() => this.setState({ fault: undefined })}>Try again</Button>
      </Empty>
    );
  }
}
