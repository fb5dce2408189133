// Opens the inspector when the variable INBOARD_INSPECT asks for it. Each entry point that starts sessions registers
// this function, so that core need not import the inspector.
import { loadPart } from '@inboard/core/util/load-part.js';

/** Loads the inspector and opens it if the value of INBOARD_INSPECT asks for that. */
export async function openInspector(value: string): Promise<void> {
  const { inspectByVariable } = await loadPart(() => import('@inboard/inspector/inspect-by-variable.js'));
  await inspectByVariable(value);
}
