import { askForNotices, leaveToPush, noticeState } from '#web/alerts/notices.ts'
import { call } from '#web/client.ts'
import { claims, token, viewer } from '#web/session/session.ts'
import { push } from '../addresses.ts'

/** Push state of this browser, or what prevents push; `install`: only after adding it to the home screen. */
export type PushState = 'none' | 'insecure' | 'install' | 'denied' | 'off' | 'on'

/** Storage key of the user who enabled push in this browser: it is renewed after their next login, but not for another user. */
const ownerKey = 'guiche.push'
const owner = () => `${viewer().tenantId}:${viewer().userId}`

const workerMs = 30_000
const registered = () => navigator.serviceWorker?.getRegistration()
/** Waits for the service worker, which a newly loaded page may not have yet. */
const ready = () =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no service worker')), workerMs)),
  ])
const subscribed = async () => (await (await registered())?.pushManager?.getSubscription()) ?? null

function isToBeInstalled(): boolean {
  const isApple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return isApple && (navigator as { standalone?: boolean }).standalone !== true
}

/** Returns this browser's push state. */
export async function readPush(): Promise<PushState> {
  if (!isSecureContext) return 'insecure'
  if (!('PushManager' in globalThis) || noticeState() === 'none') return isToBeInstalled() ? 'install' : 'none'
  if (noticeState() === 'denied') return 'denied'
  return (await subscribed()) && (await call(push.get)).isSubscribed ? 'on' : 'off'
}

/**
 * Subscribes this browser, which may ask for permission first; must be called in a click handler. Throws refusals of the
 * server or the push service.
 */
export async function startPushing(): Promise<PushState> {
  if ((await askForNotices()) !== 'granted') return readPush()
  const registration = await ready()
  const { publicKey } = await call(push.key, { params: { tenantId: viewer().tenantId } })
  const before = await registration.pushManager.getSubscription()
  if (before && keyOf(before) !== publicKey) await before.unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  await register(subscription)
  return 'on'
}

/** Ends push in this browser. */
export async function stopPushing(): Promise<void> {
  await call(push.unsubscribe)
  localStorage.removeItem(ownerKey)
  leaveToPush(false)
  await (await subscribed())?.unsubscribe()
}

/** Updates the server's subscription after a new session of the same user, a new endpoint, or a change of user. */
export async function renewPush(subscription: PushSubscription): Promise<void> {
  if (!claims(token())) return
  if (localStorage.getItem(ownerKey) !== owner()) return void (await subscription.unsubscribe())
  const { isSubscribed, endpointEnd } = await call(push.get, {}, { quiet: true })
  if (isSubscribed && endpointEnd && subscription.endpoint.endsWith(endpointEnd)) leaveToPush(true)
  else await register(subscription)
}

async function register(subscription: PushSubscription): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const body = { subscription: subscription.toJSON() as never, deviceInfo: { timeZone } }
  await call(push.subscribe, { body }, { quiet: true })
  localStorage.setItem(ownerKey, owner())
  leaveToPush(true)
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(applicationServerKey ?? new ArrayBuffer()))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
