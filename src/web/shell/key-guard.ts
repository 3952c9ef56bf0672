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

/** Puts the focus where text goes that missed its field (`data-text-target`), if there is such a field. */
export const takeText = (): void => document.querySelector<HTMLElement>('[data-text-target]')?.focus()

/** Puts the focus there once what is closed has given it back to what opened it. */
export function toTextTarget(): void {
  if (matchMedia('(hover: hover)').matches) setTimeout(takeText, 30)
}
