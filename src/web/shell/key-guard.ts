import { isCovered } from './layers.ts'

/** What shows where a person's next keys are meant to go. */
export const signs = ['focusin', 'input', 'pointerdown', 'keydown'] as const

// What came before anything watched; an Esc that closes what lies over the page means nothing.
const early: Event[] = []
const keep = (event: Event): void => {
  if (!(event instanceof KeyboardEvent && event.key === 'Escape' && isCovered())) early.push(event)
}
for (const sign of signs) globalThis.addEventListener?.(sign, keep, true)

/** Hands over, in their order, the signs that came before what watches them from now on. */
export function takeEarly(): Event[] {
  for (const sign of signs) removeEventListener(sign, keep, true)
  return early.splice(0)
}

/** What watches a person's keys (`key-watch.ts`); it comes with the first of them. */
export type KeyGuard = {
  /** Whether a key without Ctrl is a command; one that is none is taken as text. */
  passes: (event: KeyboardEvent) => boolean
  isOnPage: () => boolean
}

/** The one that watches, once it is there. */
export const keyGuard: { current?: KeyGuard } = {}

/** Whether the person works on the page, not in a field, so that the focus may stay there. */
export const isOnPage = (): boolean => keyGuard.current?.isOnPage() !== false

/** Puts the focus where text goes that missed its field (`data-text-target`), if there is such a field. */
export const takeText = (): void => document.querySelector<HTMLElement>('[data-text-target]')?.focus()

/** Puts the focus there once what is closed has given it back to what opened it. */
export function toTextTarget(): void {
  if (matchMedia('(hover: hover)').matches) setTimeout(takeText, 30)
}
