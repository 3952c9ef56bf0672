import { deflateSync } from 'node:zlib'
import * as library from 'baileys'
import { expect, test, vi } from 'vitest'
import type { ProviderEvent, StateChanges, StateValue } from '../port.ts'
import { openHistory } from './history.ts'
import type { DeviceKeys } from './keys.ts'

const { proto } = library
const me = '551130000101@s.whatsapp.net'
const person = '5511988880101@s.whatsapp.net'
const other = '5511988880102@s.whatsapp.net'
const UNLINKED = Date.parse('2026-03-02T12:00:00Z')

type Said = { readonly id: string; readonly body: string; readonly at: number }

/** Returns the phone's history part about a conversation for its device. */
function told(syncType: number, said: readonly Said[], jid = person): Uint8Array {
  const messages = said.map(({ id, body, at }) => ({
    message: {
      key: { remoteJid: jid, fromMe: false, id },
      message: { conversation: body },
      messageTimestamp: at / 1000,
    },
  }))
  const history = proto.HistorySync.encode({ syncType, conversations: [{ id: jid, messages }] }).finish()
  const historySyncNotification = { syncType, initialHistBootstrapInlinePayload: deflateSync(history) }
  const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION
  return library.encodeWAMessage({ protocolMessage: { type, historySyncNotification } })
}
const { RECENT, ON_DEMAND } = proto.HistorySync.HistorySyncType
const stanza = { tag: 'message', attrs: { id: 'H1', category: 'peer', from: me } }
const own = () => ({ id: me, lid: '', numberOf: async () => null }) as never
const lidMapping = { storeLIDPNMappings: async () => {} }

/** Returns the stored state in the form of the link. */
const stored = (state: Map<string, StateValue>) => ({
  state: {
    clear: async () => state.clear(),
    get: async (names: readonly string[]) =>
      new Map(names.flatMap((name) => (state.has(name) ? [[name, state.get(name)!] as const] : []))),
  },
})

test('what was said while a device was unlinked is stored before it is acknowledged, and noted by the next one that is there', async () => {
  const state = new Map<string, StateValue>()
  const events: ProviderEvent[] = []
  let isBroken = true
  const open = () =>
    openHistory(library, {
      keys: {
        write: async (what: readonly ProviderEvent[], changes: StateChanges) => {
          if (isBroken && what.length > 0) throw new Error('the database is away')
          for (const [name, value] of changes) state.set(name, value!)
          events.push(...what)
        },
      } as unknown as DeviceKeys,
      link: stored(state),
      own,
      dispatcher: {} as never,
      since: UNLINKED,
      socket: () => ({ signalRepository: { lidMapping } }) as never,
    })
  const waiting = () => Object.keys(state.get('history') as object)

  const first = open()
  await first.announce(
    stanza,
    told(RECENT, [
      { id: 'B', body: 'Ainda estão aí?', at: UNLINKED + 60_000 },
      { id: 'A', body: 'Bom dia', at: UNLINKED - 60_000 },
    ]),
  )
  expect(waiting()).toEqual(['H1'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(events).toEqual([])

  // Another process, after the database has recovered.
  isBroken = false
  const second = open()
  second.resume()
  await vi.waitUntil(() => waiting().length === 0)
  expect(events).toMatchObject([{ type: 'message', message: { body: 'Ainda estão aí?' } }])
  const newest = { '5511988880101': { newest: { message: { body: 'Ainda estão aí?' } } } }
  expect(state.get('chats')).toMatchObject(newest)

  // A later part may contain older messages; an immediate import has all parts received until then.
  const older = (id: string, jid?: string) =>
    second.announce(
      { ...stanza, attrs: { ...stanza.attrs, id } },
      told(RECENT, [{ id: `of ${id}`, body: 'Antes', at: UNLINKED - 3_600_000 }], jid),
    )
  await older('H2')
  await older('H3', other)
  const { chats } = await second.chats({ tenantId: 1, connectionId: 1, after: null })
  expect(chats).toEqual(['5511988880101', '5511988880102'])
  expect(state.get('chats')).toMatchObject(newest)
})

test('a phone gives fifty messages at once: it is asked until nothing is older', async () => {
  const all = Array.from({ length: 120 }, (_, n) => ({ id: `M${n}`, body: `Mensagem ${n}`, at: UNLINKED + n * 1000 }))
  const { id: providerId, body, at: timestamp } = all.at(-1)!
  const newest = { fromMe: false, message: { providerId, timestamp, type: 'text', body } }
  const state = new Map<string, StateValue>([['chats', { '5511988880101': { jid: person, newest } }]])
  const phone = {
    async fetchMessageHistory(count: number, key: { id: string }) {
      const older = all
        .slice(
          0,
          all.findIndex(({ id }) => id === key.id),
        )
        .slice(-Math.min(50, count))
      const late = told(ON_DEMAND, [{ id: 'X', body: 'De outra conversa', at: UNLINKED }], other)
      queueMicrotask(() => void history.take(stanza, late).then(() => history.take(stanza, told(ON_DEMAND, older))))
    },
  }
  const history = openHistory(library, {
    ...{ keys: {} as DeviceKeys, link: stored(state), own, dispatcher: {} as never, since: null },
    socket: () => phone as never,
  })
  const given: string[] = []
  for (let before: string | null = null, isFirst = true; isFirst || before !== null; isFirst = false) {
    const about = { tenantId: 1, connectionId: 1, conversationKey: '5511988880101', before, limit: 1000 }
    const page: Awaited<ReturnType<typeof history.history>> = await history.history(about)
    given.unshift(...page.messages.map(({ message }) => message.body))
    before = page.before
  }
  expect(given).toEqual(all.map(({ body }) => body))
})
