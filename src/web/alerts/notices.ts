const shown = new Map<string, Notification>()
let isPushed = false

/** Sets whether the device's push service delivers notices to this browser: then its pages leave them to it. */
export const leaveToPush = (isBrought: boolean): void => {
  isPushed = isBrought
}

/** Closes the service worker's notices: all of them, or those of one tag. */
export async function closeShown(tag?: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notice of (await registration?.getNotifications(tag === undefined ? {} : { tag })) ?? []) notice.close()
}

/** Permission of this browser for notices; `none` where it does not support them (or uses plain http). */
export type NoticeState = NotificationPermission | 'none'

/** Returns the browser's current permission for notices. */
export const noticeState = (): NoticeState =>
  isSecureContext && 'Notification' in globalThis ? Notification.permission : 'none'

/** Asks for the browser's permission, once; call it in a click handler. */
export const askForNotices = async (): Promise<NoticeState> =>
  noticeState() === 'none' ? 'none' : Notification.requestPermission()

/**
 * Shows a desktop notice, where permitted: the same `tag` replaces the previous one; a click focuses this tab and runs
 * `open`.
 */
export function showNotice({ tag, title, text }: { tag: string; title: string; text: string }, open: () => void): void {
  if (noticeState() === 'none' || isPushed) return
  try {
    const notice = new Notification(title, { body: text, tag, icon: '/icon-192.png', silent: true })
    shown.set(tag, notice)
    notice.onclick = () => {
      window.focus()
      notice.close()
      open()
    }
    notice.onclose = () => shown.get(tag) === notice && shown.delete(tag)
  } catch {
    // Phones show notices through a service worker only.
  }
}

/** Closes a notice whose subject has been read. */
export function closeNotice(tag: string): void {
  shown.get(tag)?.close()
  shown.delete(tag)
  if (isPushed) void closeShown(tag)
}

/** Closes every notice of this tab. */
export function closeNotices(): void {
  for (const tag of [...shown.keys()]) closeNotice(tag)
}
