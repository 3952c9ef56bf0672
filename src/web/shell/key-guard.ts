import { isCovered } from './layers.ts'

/** Events that show where the next keys are meant to go. */
export const signs = ['focusin', 'input', 'pointerdown', 'keydown'] as const

// Such events before the key watcher is loaded; an Esc that closes an overlay is none.
const collected: Event[] = []
const collect = (event: Event): void => {
  if (!(event instanceof KeyboardEvent && event.key === 'Escape' && isCovered())) collected.push(event)
}
for (const sign of signs) globalThis.addEventListener?.(sign, collect, true)

/** Ends the collection and returns the events so far, for the key watcher. */
export function takeCollected(): Event[] {
  for (const sign of signs) removeEventListener(sign, collect, true)
  return collected.splice(0)
}

/** Interface of the key watcher (`key-watch.ts`), which is loaded at the first key. */
export type KeyGuard = {
  /** Whether a key without Ctrl is a command; one that is none is taken as text. */
  passes: (event: KeyboardEvent) => boolean
  isOnPage: () => boolean
}

/** Key watcher, once it is loaded. */
export const keyGuard: { current?: KeyGuard } = {}

/** Whether the person works on the page, not in a field, so that the focus may stay there. */
export const isOnPage = (): boolean => keyGuard.current?.isOnPage() !== false

/** Focuses the field for text that missed its field (`data-text-target`), if there is one. */
export const takeText = (): void => document.querySelector<HTMLElement>('[data-text-target]')?.focus()

/** Focuses that field after a closed overlay has returned the focus. */
export function toTextTarget(): void {
  if (matchMedia('(hover: hover)').matches) setTimeout(takeText, 30)
}
