// The scenes of `record-protocol.mjs`: together they show every request that either side can send and every message that
// could be had from a CLI without an account. `on` names the CLIs that a scene is played on.
import { CONTROL_SCENES } from './control-scenes.mjs';
import { CONVERSATION_SCENES } from './conversation-scenes.mjs';
import { TOOL_SCENES } from './tool-scenes.mjs';

export const SCENES = { ...TOOL_SCENES, ...CONVERSATION_SCENES, ...CONTROL_SCENES };
