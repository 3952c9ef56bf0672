import { deflateSync } from 'node:zlib'
import * as library from 'baileys'
import { expect, test, vi } from 'vitest'
import type { ProviderEvent, StateChanges, StateValue } from '../port.ts'
import { openHistory } from './history.ts'
import type { DeviceKeys } from './keys.ts'

const { proto } = library
const me = '551130000101@s.whatsapp.net'
const person = '5511988880101@s.whatsapp.net'
const UNLINKED = Date.parse('2026-03-02T12:00:00Z')

/** What the phone sends to its new device: two messages of a conversation, one of before it was unlinked, one since. */
function told(): Uint8Array {
  const message = (id: string, conversation: string, at: number) => ({
    message: {
      key: { remoteJid: person, fromMe: false, id },
      message: { conversation },
      messageTimestamp: at / 1000,
    },
  })
  const messages = [message('B', 'Ainda estão aí?', UNLINKED + 60_000), message('A', 'Bom dia', UNLINKED - 60_000)]
  const { RECENT } = proto.HistorySync.HistorySyncType
  const history = proto.HistorySync.encode({ syncType: RECENT, conversations: [{ id: person, messages }] }).finish()
  const historySyncNotification = { syncType: RECENT, initialHistBootstrapInlinePayload: deflateSync(history) }
  const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION
  return library.encodeWAMessage({ protocolMessage: { type, historySyncNotification } })
}

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
      link: {
        state: {
          clear: async () => state.clear(),
          get: async (names) => new Map(names.flatMap((name) => (state.has(name) ? [[name, state.get(name)!]] : []))),
        },
      },
      own: () => ({ id: me, lid: '', numberOf: async () => null }) as never,
      dispatcher: {} as never,
      since: UNLINKED,
      socket: () => ({ signalRepository: { lidMapping: { storeLIDPNMappings: async () => {} } } }) as never,
    })
  const waiting = () => Object.keys(state.get('history') as object)
  const stanza = { tag: 'message', attrs: { id: 'H1', category: 'peer', from: me } }

  const first = open()
  await first.announce(stanza, told())
  expect(waiting()).toEqual(['H1'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(events).toEqual([])

  // Another process, when the database is back.
  isBroken = false
  open().resume()
  await vi.waitUntil(() => waiting().length === 0)
  expect(events).toMatchObject([{ type: 'message', message: { body: 'Ainda estão aí?' } }])
  expect(state.get('chats')).toMatchObject({ '5511988880101': { newest: { message: { body: 'Ainda estão aí?' } } } })
})
