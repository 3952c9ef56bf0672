/** Outline drawings of 24 × 24 (Tabler's shapes), by name. */
const PATHS = {
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M10 14L21 3M21 3l-6.5 18a.55.55 0 0 1-1 0L10 14 3 10.5a.55.55 0 0 1 0-1z',
  attach: 'M15 7l-6.5 6.5a1.5 1.5 0 0 0 3 3L18 10a3 3 0 0 0-6-6l-6.5 6.5a4.5 4.5 0 0 0 9 9L21 13',
  file: 'M14 3v5h5M17 21H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2z',
  play: 'M7 4v16l13-8z',
  pause: 'M8 5v14M16 5v14',
  reply: 'M9 14l-4-4 4-4M5 10h11a4 4 0 0 1 0 8h-1',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  bin: 'M4 7h16M10 11v6M14 11v6M5 7l1 13h12l1-13M9 7V4h6v3',
  thumb: 'M7 11v9H4v-9zM7 11l4-8a2 2 0 0 1 2 2v4h5a2 2 0 0 1 2 2.5l-1.500 6a2 2 0 0 1-2 1.500H7',
  more: 'M5 12v.01M12 12v.01M19 12v.01',
  down: 'M12 5v14M18 13l-6 6-6-6',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8v4l2.5 2',
  sent: 'M5 12.5l5 5 9-10',
  two: 'M2.5 12.5l5 5 9-10M11.5 16.5l1 1 9-10',
  failed: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8v4.5M12 16v.01',
  off: 'M3 3l18 18M8.5 16.4a5 5 0 0 1 7 0M5.5 12.8a9 9 0 0 1 3-1.9M12 10a9 9 0 0 1 6.5 2.8M12 20v.01',
} as const

/** Icon hidden from screen readers; its button or neighbour has the name. */
export const Icon = ({ name, size = 20 }: { name: keyof typeof PATHS; size?: number }) => (
  <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
