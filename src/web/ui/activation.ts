const isChoice = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio')

/**
 * Makes Enter press every radio, checkbox and toggle of the page, as the browser does for Space (specification §9: keys 13
 * and 32), without submitting a form around it. With Ctrl or ⌘ the form handles it.
 */
export function pressChoices(): () => void {
  const press = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event
    if (key !== 'Enter' || ctrlKey || metaKey || altKey || defaultPrevented || !isChoice(target)) return
    event.preventDefault()
    target.click()
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}
