import { closeNotices, openNotice, receivePush } from './notices.ts'
import { pages, planFor } from './plan.ts'

declare const self: ServiceWorkerGlobalScope
/** Written in by the build: what this release is called, and the addresses of its hashed files. */
declare const RELEASE: string
declare const ASSETS: readonly string[]

const prefix = 'guiche-'
const own = `${prefix}${RELEASE}`
/** This release and the one before: a page that is still open needs the files that it came with. */
const maxReleases = 2
/** Files that are asked for together: hundreds at once would hold up whoever makes their first click meanwhile. */
const maxAtOnce = 2

self.addEventListener('install', (event) => event.waitUntil(storeRelease().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(forgetOld().then(() => self.clients.claim())))
self.addEventListener('fetch', (event) => {
  const plan = planFor(event.request, self.location.origin)
  if (plan === 'asset') event.respondWith(cached(event.request))
  else if (plan) event.respondWith(fetch(event.request).catch(() => standIn(plan)))
  // Who left, or comes after them, is shown nothing of theirs.
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

/** A hashed file never changes: what any kept release has of it is right. */
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
