// Keeps an error in one view from breaking the whole page.
import { Component, type ComponentChildren } from 'preact';
import { messageOf } from '@inboard/core/util/message-of.js';
import { Button } from './button.js';
import { Empty } from './empty.js';

interface Props {
  /** What failed, for the sentence: "The timeline". */
  name: string;
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
    return (
      <Empty icon="warning" title={`${this.props.name} has failed`}>
        <p>The agent is not affected, and other views still work.</p>
        <pre>{fault instanceof Error ? (fault.stack ?? fault.message) : messageOf(fault)}</pre>
        <Button onClick={() => this.setState({ fault: undefined })}>Try again</Button>
      </Empty>
    );
  }
}
