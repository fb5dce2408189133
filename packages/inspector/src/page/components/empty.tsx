// The placeholder for an empty view, which says what to do.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.js';

export function Empty({
  icon,
  title,
  children,
}: {
  icon?: IconName | undefined;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      {icon && <Icon name={icon} class="empty-icon" />}
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  );
}
