// The icons of the page: 16 by 16, in strokes of the text's colour. An icon never carries meaning alone.

const PATHS = {
  story: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2zM5 6h6M5 8.2h4',
  timeline: 'M2.5 4h6M5 8h7M8.5 12h5',
  wire: 'M3 5h10m-2.5-2.5L13 5l-2.5 2.5M13 11H3m2.5-2.5L3 11l2.5 2.5',
  tools: 'M9.6 6.4 4 12l-1.5-1.5 5.6-5.6a3 3 0 0 1 3.9-3L10 4l.5 1.5L12 6l2.1-2a3 3 0 0 1-4.5 2.4z',
  cost: 'M8 1.8v12.4M11 4.6C10.4 3.7 9.4 3.3 8 3.3c-1.8 0-3 .9-3 2.3 0 3.2 6.2 1.4 6.2 4.7 0 1.5-1.3 2.4-3.2 2.4-1.5 0-2.7-.6-3.3-1.6',
  fleet: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  audit: 'M4 2.5h8v11H4zM6.2 5.5h3.6M6.2 8h3.6M6.2 10.5h2',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  cross: 'm4 4 8 8M12 4l-8 8',
  warning: 'M8 2.2 14.3 13H1.7zM8 6.3v3M8 11.2v.1',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.8V8l2.2 1.5',
  question: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6.2 6.5a1.8 1.8 0 1 1 2.7 1.6c-.7.4-.9.7-.9 1.3M8 11.4v.1',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  up: 'm4 10 4-4 4 4',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2',
  link: 'M6.7 9.3a2.5 2.5 0 0 0 3.6 0l2.4-2.4a2.5 2.5 0 0 0-3.6-3.6l-.8.8M9.3 6.7a2.5 2.5 0 0 0-3.6 0L3.3 9.1a2.5 2.5 0 0 0 3.6 3.6l.8-.8',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1H3zM6.7 13.8h2.6',
  bellOff: 'M4 11V7c0-.6.1-1.1.3-1.6M6 3.5A4 4 0 0 1 12 7v2.3M11 12H3l1-1M6.7 13.8h2.6M2.5 2.5l11 11',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z',
  system: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  keyboard: 'M1.8 4h12.4v8H1.8zM4.2 6.5h.1M6.7 6.5h.1M9.2 6.5h.1M11.7 6.5h.1M5 9.5h6',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  eye: 'M1.5 8S4 3.7 8 3.7 14.5 8 14.5 8 12 12.3 8 12.3 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
  send: 'M2.5 8 13.5 2.8 10.6 13.4 7.6 9zM7.6 9l5.9-6.2',
  save: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  stop: 'M4 4h8v8H4z',
  back: 'M6 3.5 2.5 7 6 10.5M2.5 7h7a4 4 0 0 1 0 7H8',
  play: 'M5 3.2 12.5 8 5 12.8z',
  person: 'M8 2.5a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4zM2.8 13.5c.5-2.5 2.5-4 5.2-4s4.7 1.5 5.2 4',
  spark: 'M8 2l1.5 4.5L14 8l-4.5 1.5L8 14l-1.5-4.5L2 8l4.5-1.5z',
  code: 'm5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10h3',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  external: 'M9.5 2.5h4v4M13.5 2.5 8 8M11.5 9v4.5h-9v-9H7',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1v-5z',
  swap: 'M5 3 2.5 5.5 5 8M2.5 5.5h11M11 8l2.5 2.5L11 13M13.5 10.5h-11',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon. Screen readers skip it, so a word or a label must say the same. */
export function Icon({ name, class: extra = '' }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
