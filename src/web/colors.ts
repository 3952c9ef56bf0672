const names = ['primary', 'secondary', 'accent', 'positive', 'negative', 'warning', 'neutral', 'light']

/**
 * Applies a list of colour maps (`[{ primary: '#1C5D99' }, …]`) as `--q-*`; names that the design does not know and
 * values that are no colour are left out, so a bad record cannot make the page unreadable.
 */
export function applyColors(
  maps: readonly Record<string, string>[],
  root: HTMLElement = document.documentElement,
): void {
  for (const name of names) root.style.removeProperty(`--q-${name}`)
  for (const map of maps) {
    for (const [name, value] of Object.entries(map)) {
      if (names.includes(name) && CSS.supports('color', value)) root.style.setProperty(`--q-${name}`, value)
    }
  }
}
