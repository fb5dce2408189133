// Plays the scenes of the protocol on a CLI that is tried, and gives their frames.
import { normalizeRecording } from '../protocol/normalize-recording.mjs';
import { playScene } from '../protocol/play-scene.mjs';
import { framesOf } from '../protocol/read-recordings.mjs';
import { SCENES } from '../protocol/scenes.mjs';
import { isRefusalText } from './compare-cases.mjs';

/** Before it a request that the CLI does not know is never answered, so scenes ask only what the oldest one knows. */
const ANSWERS_UNKNOWN_REQUESTS = '2.1.44';

/**
 * Gives `{ frames, played, refused, failed }`: the frames of all scenes that could be played, their names, scenes that use an
 * option this version does not have, with Inboard's word for it, and scenes that went wrong twice.
 */
export async function playScenes({ version, path }, { compareVersions, newest, only, onScene, signal }) {
  const isNew = compareVersions(version, ANSWERS_UNKNOWN_REQUESTS) >= 0;
  const cli = { version, isNew, options: { pathToClaudeCodeExecutable: path } };
  const outcome = { frames: [], played: [], refused: [], failed: [], traces: new Map() };
  for (const [name, scene] of Object.entries(SCENES)) {
    if (!scene.on.includes(isNew ? newest : scene.on[0]) || (only && !only.includes(name))) continue;
    onScene?.(name);
    const { trace, places, error, isRefused } = await playTwiceAtMost(scene, cli, signal);
    if (error === undefined) {
      outcome.played.push(name);
      outcome.traces.set(name, trace);
      outcome.frames.push(
        ...framesOf(normalizeRecording(trace, places)).map((frame) => ({ ...frame, scene: name })),
      );
    } else (isRefused ? outcome.refused : outcome.failed).push(`${name}: ${error.message.split('\n')[0]}`);
  }
  return outcome;
}

// CLIs have races of their own: what goes wrong twice is worth telling.
async function playTwiceAtMost(scene, cli, signal) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await playScene(scene, cli, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      const isRefused = isRefusalText(error.message);
      if (isRefused || attempt === 2) return { error, isRefused };
    }
  }
}
