// Buttons. One that cannot be pressed stays in the order of focus and says why.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.js';

export interface ButtonProps {
  children?: ComponentChildren;
  onClick: () => void;
  icon?: IconName | undefined;
  /** `plain` has no edge; `primary` is the one thing to do; `danger` ends or refuses something. */
  look?: 'normal' | 'primary' | 'danger' | 'plain' | undefined;
  /** What it does, where only an icon is shown. */
  label?: string | undefined;
  /** Why it cannot be pressed now: shown as its title and read out. */
  offBecause?: string | undefined;
  /** For switches. */
  isPressed?: boolean | undefined;
  /** For what it opens and closes. */
  isExpanded?: boolean | undefined;
  /** The key that does the same, shown in its title. */
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
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span class="button-text">{children}</span>}
    </button>
  );
}
