const close = '[class*="odal-close"], [class*="rawer-close"]'
const field = 'input:not([type="hidden"]):not(:disabled), textarea:not(:disabled), select:not(:disabled)'
const main = '[class*="utton-root"]:not([data-variant]):not(:disabled)'
/** Preferred focus of a dialog: the element that requests it, else the first field. */
const wanted = ['[data-autofocus]', field]
const otherwise = [main, `button:not(${close}):not(:disabled)`, 'a[href]']

/** Maximum time, in ms, for which a dialog's content may still be loading. */
const LOADING_MS = 5000

const firstOf = (dialog: Element, order: readonly string[]): HTMLElement | undefined =>
  order
    .flatMap((selector) => [...dialog.querySelectorAll<HTMLElement>(selector)])
    .find((one) => one.checkVisibility() && !one.closest('[inert]'))

/** Moves the initial focus of a dialog from its × to its first field, as soon as it is drawn, else to its main button. */
export function watchDialogs(): void {
  let isOwn = false
  const own = () => {
    isOwn = true
    setTimeout(() => {
      isOwn = false
    })
  }
  const move = ({ target }: FocusEvent) => {
    if (isOwn || !(target instanceof Element) || !target.closest(close)) return
    const dialog = target.closest<HTMLElement>('[role="dialog"]')
    if (!dialog) return
    const first = firstOf(dialog, wanted)
    if (first) return first.focus()
    dialog.tabIndex = -1
    let given = firstOf(dialog, otherwise) ?? dialog
    given.focus()
    // Waits for its fields, unless the user has moved the focus meanwhile.
    const wait = new MutationObserver(() => {
      const there =
        firstOf(dialog, wanted) ?? (given.isConnected && given !== dialog ? given : firstOf(dialog, otherwise))
      const isFree = document.activeElement === given || document.activeElement === document.body
      if (!isFree || !dialog.isConnected || there?.matches(wanted.join())) wait.disconnect()
      if (!isFree || !there || there === given) return
      given = there
      there.focus()
    })
    wait.observe(dialog, { childList: true, subtree: true })
    setTimeout(() => wait.disconnect(), LOADING_MS)
  }
  addEventListener('focusin', move, true)
  addEventListener('pointerdown', own, true)
  addEventListener('keydown', ({ key }) => key === 'Tab' && own(), true)
}
