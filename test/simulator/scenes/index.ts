// The scenes, as one program for a world.
import { createClusterScene } from './cluster-scene.js';
import { createDeskScene } from './desk-scene.js';
import type { Kit, Scene } from './kit.js';

export function createScene(kit: Kit): Scene {
  return kit.plan.scene === 'desk' ? createDeskScene(kit) : createClusterScene(kit);
}
