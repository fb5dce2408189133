// How sessions open the inspector where INBOARD_INSPECT asks for it. Entry points that start sessions register it.
import { loadPart } from '@inboard/core/util/load-part.js';

/** Loads the inspector and opens it where the value of the variable wants it. */
export async function openInspector(value: string): Promise<void> {
  const { inspectByVariable } = await loadPart(() => import('@inboard/inspector/inspect-by-variable.js'));
  await inspectByVariable(value);
}
