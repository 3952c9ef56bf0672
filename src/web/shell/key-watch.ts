import { isWriting } from '../ui/layout/page.tsx'
import { watchWheel } from '../ui/layout/wheel-scrolls.ts'
import { watchDialogs } from './dialog-focus.ts'
import { keyGuard, signs, takeCollected, takeText } from './key-guard.ts'
import { isCommand, type Meant, meantAfter, type Step } from './key-meaning.ts'
import { isCovered } from './layers.ts'

const over = '[role="dialog"], [role="menu"], [role="listbox"]'
const pressable = 'button, [role="button"], a, label, summary'
const rows = '[role="list"] a, [role="listitem"], tr'

let meant: Meant = { aim: 'page', wroteAt: Number.NEGATIVE_INFINITY }
const note = (next: Step): void => {
  meant = meantAfter(meant, next, performance.now())
}

const isOver = (target: EventTarget | null): boolean => target instanceof Element && target.closest(over) !== null

const isField = (target: EventTarget | null): boolean =>
  isWriting(target) && !(target instanceof HTMLInputElement && /^(checkbox|radio|button|file)$/.test(target.type))

// Esc or Tab was pressed, and Esc closed no overlay: the next event shows where it led.
let isLeaving = false
function confirmKeys(): void {
  const { activeElement } = document
  if (isLeaving && !isField(activeElement) && !isOver(activeElement)) note('page')
  isLeaving = false
}

const meanings: { readonly [S in (typeof signs)[number]]: (event: WindowEventMap[S]) => void } = {
  focusin: ({ target }) => {
    if (isField(target) && !isOver(target)) note('field')
  },
  input: ({ target }) => {
    if (isField(target)) note('letter')
  },
  pointerdown: ({ target }) => {
    confirmKeys()
    if (!(target instanceof Element) || isOver(target) || isField(target)) return
    if (target.closest(rows) || !target.closest(pressable)) note('page')
  },
  keydown: ({ key, target }) => {
    confirmKeys()
    isLeaving = (key === 'Tab' || (key === 'Escape' && !isCovered())) && !isOver(target)
  },
}

/** Watches where the user puts the focus and when they type, from the events before it was loaded on. */
function watchKeys(): void {
  const mean = (event: Event) => meanings[event.type as keyof typeof meanings](event as never)
  noteScreen()
  if (isField(document.activeElement)) note('field')
  for (const event of takeCollected()) mean(event)
  for (const sign of signs) addEventListener(sign, mean, true)
}

let screen = ''

// After a change of screen, keys are commands again.
function noteScreen(): void {
  const [, first = ''] = location.pathname.split('/')
  if (first !== screen) note('page')
  screen = first
}

function passes({ key, target }: KeyboardEvent): boolean {
  noteScreen()
  if (isCommand(meant, performance.now())) return true
  // A letter that is no command counts as typed, and goes to the text target; a space presses the focused element.
  if (key.length === 1 && (key !== ' ' || target === document.body)) {
    note('letter')
    if (meant.aim === 'field') takeText()
  }
  return false
}

/**
 * Confirms the topmost dialog at Ctrl+Enter, by its one filled button, else its form; in a list of choices the focused one;
 * a dialog that saves at once is closed. A field that handles the key itself has done so by then.
 */
function endDialog(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((one) => one.checkVisibility())
  if (!dialog) return
  const filled = '[class*="utton-root"]:is([data-variant="filled"], :not([data-variant]))'
  const main = [...dialog.querySelectorAll<HTMLElement>(filled)].at(-1)
  const form = dialog.querySelector('form')
  const choice = document.activeElement?.closest('button')
  setTimeout(() => {
    if (main) main.click()
    else if (form) form.requestSubmit()
    else if (choice && dialog.contains(choice)) choice.click()
    else dialog.querySelector<HTMLElement>('[class*="odal-close"]')?.click()
  })
}

/** Starts the watchers, at the first key or touch. */
export function beginWatching(): void {
  watchKeys()
  watchDialogs()
  watchWheel()
  addEventListener('keydown', endDialog)
  keyGuard.current = {
    passes,
    isOnPage: () => {
      confirmKeys()
      return meant.aim === 'page'
    },
  }
}
