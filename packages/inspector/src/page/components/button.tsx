// Buttons. A disabled button can still get the focus, and says why it is disabled.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.js';

export interface ButtonProps {
  children?: ComponentChildren;
  onClick: () => void;
  icon?: IconName | undefined;
  /** `plain` has no border; `primary` is the main action; `danger` ends or refuses something. */
  look?: 'normal' | 'primary' | 'danger' | 'plain' | undefined;
  /** What the button does, for its title and for screen readers. A button with only an icon needs it. */
  label?: string | undefined;
  /** Why the button cannot be pressed now. The reason is its title, and screen readers read it out. */
  offBecause?: string | undefined;
  /** The state of a toggle button. */
  isPressed?: boolean | undefined;
  /** Whether the part of the page that the button opens is open. */
  isExpanded?: boolean | undefined;
  /** The id of the element that says more about what the button does. */
  describedBy?: string | undefined;
  /** The key that presses the button, shown in its title. */
  shortcut?: string | undefined;
  class?: string | undefined;
}

export function Button(props: ButtonProps) {
  const { children, onClick, icon, look = 'normal', label, offBecause, shortcut } = props;
  const isOff = offBecause !== undefined;
  const title = offBecause ?? [label, shortcut && `(${shortcut})`].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      class={`button button-${look} ${children === undefined ? 'button-icon' : ''} ${props.class ?? ''}`}
      title={title === '' ? undefined : title}
      aria-label={label === undefined ? undefined : isOff ? `${label}. ${offBecause}` : label}
      aria-disabled={isOff ? 'true' : undefined}
      aria-pressed={props.isPressed}
      aria-expanded={props.isExpanded}
      aria-describedby={props.describedBy}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span class="button-text">{children}</span>}
    </button>
  );
}
