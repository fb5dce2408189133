// The sign and the tone for each state of a call.
import type { CallItem } from '../../../model/story/story-item.js';
import type { Tone } from '../../components/tone.js';
import type { IconName } from '../../components/icons.js';

export const SIGNS: Readonly<Record<CallItem['state'], { icon: IconName; tone: Tone }>> = {
  streaming: { icon: 'more', tone: 'model' },
  asking: { icon: 'question', tone: 'permission' },
  running: { icon: 'play', tone: 'accent' },
  pending: { icon: 'clock', tone: 'code' },
  done: { icon: 'check', tone: 'good' },
  failed: { icon: 'warning', tone: 'error' },
  denied: { icon: 'cross', tone: 'permission' },
  cut: { icon: 'stop', tone: 'neutral' },
};
