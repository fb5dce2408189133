// Removes a permission mode that the files of a project chose and that asks the user less often.
import { isRecord } from '../../util/guards.js';
import type { Settings } from '../../wire/protocol/config/settings.js';
import type { ResolvedSettings } from './resolve-settings.js';

/** The modes that a layer may not choose. The local file may choose `acceptEdits`, as it is not in the repository. */
const ESCALATING: Readonly<Record<string, readonly unknown[]>> = {
  project: ['acceptEdits', 'auto', 'bypassPermissions'],
  local: ['auto', 'bypassPermissions'],
};

/**
 * The effective settings without a `permissions.defaultMode` that the project's files chose and that asks the user less
 * often. The modes of weaker layers do not replace it, so the CLI's default mode applies. Returns `effective` itself when
 * nothing is removed.
 */
export function filterEscalatingDefaultMode(
  resolved: Pick<ResolvedSettings, 'effective'> & Partial<Pick<ResolvedSettings, 'sources'>>,
): Settings {
  const { effective, sources = [] } = resolved;
  const chooser = sources.findLast((layer) => readMode(layer.settings) !== undefined);
  const { permissions } = effective;
  if (!chooser || !isRecord(permissions)) return effective;
  if (!ESCALATING[chooser.source]?.includes(readMode(chooser.settings))) return effective;
  const { defaultMode: _, ...others } = permissions;
  return { ...effective, permissions: others };
}

function readMode(settings: Settings): unknown {
  return settings.permissions?.defaultMode;
}
