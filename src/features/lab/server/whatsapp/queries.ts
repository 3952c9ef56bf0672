import { present } from '#domain/present.ts'
import { type Account, type Device, type Directory, type Group, jidOf, serverOf } from './directory.ts'
import { answerGroups } from './group-queries.ts'
import type { MediaHost } from './media.ts'
import { type BinaryNode, bytesOf, child, children, node, nodesIn, SERVER, seconds, textOf } from './nodes.ts'
import type { Relay } from './relay.ts'

/** Below this number of one-time keys the server requests more from a device. */
const FEW_KEYS = 5

/** Data that queries are answered from. */
export type Known = {
  readonly directory: Directory
  readonly relay: Relay
  readonly media: MediaHost
  /** Paths of pictures at the media host, by number or by a group's address. */
  readonly pictures: Map<string, string>
  /** Called after a change of a group by a linked device. */
  readonly onGroupChange?: ((group: Group, by: Device) => void) | undefined
}

type Content = BinaryNode[] | { readonly code: number; readonly text: string }

/** Returns a device's keys, with a one-time key as long as there are any. */
export function takeBundle(device: Device, relay: Relay): BinaryNode[] {
  const { registration, identity, signed, once } = present(device.bundle)
  const [first] = once.splice(0, 1)
  if (once.length < FEW_KEYS && device.id > 0) {
    const count = node('count', { value: once.length })
    const id = `keys-${once.length}-${device.counts.relayed}`
    relay.deliver(device, node('notification', { from: SERVER, type: 'encrypt', id }, [count]))
  }
  return [
    node('registration', {}, registration),
    node('type', {}, Buffer.from([5])),
    node('identity', {}, identity),
    signed,
    ...(first ? [first] : []),
  ]
}

function answerKeys({ directory, relay }: Known, device: Device, iq: BinaryNode): Content {
  if (iq.attrs['type'] === 'set') {
    const rotated = child(iq, 'rotate')
    if (rotated && device.bundle) device.bundle.signed = child(rotated, 'skey')!
    if (rotated) return []
    const once = children(child(iq, 'list'), 'key')
    const uploaded = new Set(once.map((key) => bytesOf(key, 'id').toString('hex')))
    const before = device.bundle?.once.filter((key) => !uploaded.has(bytesOf(key, 'id').toString('hex'))) ?? []
    device.bundle = {
      registration: bytesOf(iq, 'registration'),
      identity: bytesOf(iq, 'identity'),
      signed: child(iq, 'skey')!,
      once: [...before, ...once],
    }
    return []
  }
  if (child(iq, 'count')) return [node('count', { value: device.bundle?.once.length ?? 0 })]
  if (child(iq, 'digest')) {
    if (!device.bundle) return { code: 404, text: 'item-not-found' }
    return [node('digest', {}, [node('registration', {}, device.bundle.registration)])]
  }
  const users = children(child(iq, 'key'), 'user').flatMap(({ attrs }) => {
    const about = directory.device(attrs['jid'] ?? '')
    return about?.bundle ? [node('user', { jid: attrs['jid'], t: 0 }, takeBundle(about, relay))] : []
  })
  return [node('list', {}, users)]
}

function answerUsers({ directory }: Known, iq: BinaryNode): Content {
  const usync = child(iq, 'usync')!
  const asked = nodesIn(child(usync, 'query'))
  const about = (account: Account): BinaryNode[] =>
    asked.map(({ tag }) => {
      if (tag === 'contact') return node('contact', { type: 'in' })
      if (tag === 'lid') return node('lid', { val: jidOf(account, 'lid') })
      if (tag !== 'devices') return node(tag)
      const devices = [...account.devices.values()].map(({ id, keyIndex }) =>
        node('device', { id, 'key-index': id ? keyIndex : undefined }),
      )
      return node('devices', {}, [node('device-list', {}, devices)])
    })
  const users = children(child(usync, 'list'), 'user').map((user) => {
    const given = user.attrs['jid'] ?? textOf(child(user, 'contact'))
    const account = directory.find(given)
    if (!account) return node('user', {}, [node('contact', { type: 'out' }, given)])
    const server = user.attrs['jid'] ? serverOf(given) : SERVER
    return node('user', { jid: jidOf(account, server) }, about(account))
  })
  const { sid, mode, context } = usync.attrs
  return [node('usync', { sid, mode, context }, [node('result'), node('list', {}, users)])]
}

function answerPicture({ directory, media, pictures }: Known, device: Device, iq: BinaryNode): Content {
  const target = iq.attrs['target'] ?? ''
  if (iq.attrs['type'] === 'set') {
    if (!directory.groups.get(target)?.members.get(device.account.lid)?.isAdmin) return { code: 403, text: 'forbidden' }
    pictures.set(target, media.put(bytesOf(iq, 'picture')))
    return [node('picture', { id: seconds() })]
  }
  const path = pictures.get(directory.find(target)?.number ?? target)
  if (!path) return { code: 404, text: 'item-not-found' }
  return [node('picture', { id: 1, type: child(iq, 'picture')?.attrs['type'] ?? 'preview', url: media.urlOf(path) })]
}

function contentFor(known: Known, device: Device, iq: BinaryNode): Content {
  const { xmlns, type } = iq.attrs
  if (xmlns === 'encrypt') return answerKeys(known, device, iq)
  if (xmlns === 'usync') return answerUsers(known, iq)
  if (xmlns === 'w:profile:picture') return answerPicture(known, device, iq)
  if (xmlns === 'w:g2') return answerGroups(known, device, iq)
  if (xmlns === 'abt') return [node('props')]
  if (xmlns === 'blocklist') return [node('list')]
  if (xmlns === 'privacy' && type === 'get')
    return [node('privacy', {}, [node('category', { name: 'readreceipts', value: 'all' })])]
  if (xmlns === 'w:m') {
    const host = node('host', { hostname: known.media.hostname })
    return [node('media_conn', { auth: known.media.auth, ttl: 300, auth_ttl: 3600, max_buckets: 12 }, [host])]
  }
  if (xmlns === 'w:sync:app:state') {
    // Nothing is stored there, but each collection has to be listed.
    const collections = children(child(iq, 'sync'), 'collection')
    return [
      node(
        'sync',
        {},
        collections.map(({ attrs }) => node('collection', { name: attrs['name'], version: 0 })),
      ),
    ]
  }
  return []
}

/** Answers a query of a linked device. */
export function answerQuery(known: Known, device: Device, iq: BinaryNode): BinaryNode {
  const about = { id: iq.attrs['id'], from: iq.attrs['to'] ?? SERVER }
  const content = contentFor(known, device, iq)
  return Array.isArray(content)
    ? node('iq', { ...about, type: 'result' }, content)
    : node('iq', { ...about, type: 'error' }, [node('error', { code: content.code, text: content.text })])
}
