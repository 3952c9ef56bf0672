/** Shows a dot on the tab's icon, or removes it. */
export function showDot(isOn: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const href = isOn ? '/favicon-unread.svg' : '/favicon.svg'
  if (icon && icon.getAttribute('href') !== href) icon.href = href
}

/** Counts on the icon of the installed app; 0 takes the number away. */
export function showAppBadge(count: number): void {
  const asked = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  asked?.catch(() => {}) // not installed
}
