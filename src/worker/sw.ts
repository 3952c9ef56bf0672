import { closeNotices, openNotice, receivePush } from './notices.ts'
import { pages, planFor } from './plan.ts'

declare const self: ServiceWorkerGlobalScope
/** Set by the build: name of this release, and addresses of its hashed files. */
declare const RELEASE: string
declare const ASSETS: readonly string[]

const prefix = 'guiche-'
const own = `${prefix}${RELEASE}`
/** Number of cached releases: a page that is still open needs the files of its release. */
const maxReleases = 2
/** Number of files requested at once: hundreds would delay the user's first click. */
const maxAtOnce = 2

self.addEventListener('install', (event) => event.waitUntil(storeRelease().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(forgetOld().then(() => self.clients.claim())))
self.addEventListener('fetch', (event) => {
  const plan = planFor(event.request, self.location.origin)
  if (plan === 'asset') event.respondWith(cached(event.request))
  else if (plan) event.respondWith(fetch(event.request).catch(() => standIn(plan)))
  // After a logout, nothing of that user is shown.
  if (plan === pages.login) event.waitUntil(closeNotices())
})
self.addEventListener('push', (event) => event.waitUntil(receivePush(event.data)))
self.addEventListener('notificationclick', (event) => event.waitUntil(openNotice(event)))

async function storeRelease(): Promise<void> {
  const cache = await caches.open(own)
  const shells = Object.values(pages).map((page) => new Request(page, { cache: 'reload', credentials: 'omit' }))
  const left = [...ASSETS, ...shells].values()
  const store = async () => {
    for (const file of left) await cache.add(file)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, store))
}

async function forgetOld(): Promise<void> {
  const releases = (await caches.keys()).filter((name) => name.startsWith(prefix))
  for (const name of releases.slice(0, -maxReleases)) if (name !== own) await caches.delete(name)
}

/** Returns a hashed file from any cached release: it never changes. */
async function cached(request: Request): Promise<Response> {
  const known = await caches.match(request)
  if (known) return known
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(own)
    await cache.put(request, answer.clone())
  }
  return answer
}

async function standIn(page: string): Promise<Response> {
  const cache = await caches.open(own)
  return (await cache.match(page)) ?? Response.error()
}
