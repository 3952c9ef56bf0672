import { closeShown } from '#web/alerts/notices.ts'
import { openPath } from '#web/shell/route.ts'

/** Opens clicked notifications, removes notifications of conversations being viewed, and renews the subscription. */
export function startPush(): void {
  const workers = navigator.serviceWorker
  if (!workers) return // plain http outside localhost
  workers.addEventListener('message', ({ data, ports }: MessageEvent<{ type?: string; path?: string } | null>) => {
    if (data?.type !== 'open' || !data.path?.startsWith('/')) return
    ports[0]?.postMessage('opened')
    openPath(data.path)
  })
  const clear = () => document.visibilityState === 'visible' && void closeShown()
  document.addEventListener('visibilitychange', clear)
  clear()
  void renew().catch(() => {}) // the next page tries again
}

/** Renews the subscription, if the browser has one; few have. */
async function renew(): Promise<void> {
  const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager?.getSubscription()
  if (subscription) await (await import('./push.ts')).renewPush(subscription)
}
