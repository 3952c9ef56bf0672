import {
  type AuthenticationState,
  BufferJSON,
  type ConnectionState,
  initAuthCreds,
  makeWASocket,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  type WAMessage,
  type WAMessageUpdate,
} from 'baileys'
import { silent } from '#features/lab/server/whatsapp/nodes.ts'
import type { WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { believing, loadLibrary } from '#providers/channels/baileys/library.ts'
import { until } from '#test/until.ts'

// Loaded as in the product: it checks signatures, and prints no keys.
await loadLibrary()

/** Persistent state of a linked device, as text, from which a restart begins. */
export type ClientStore = Map<string, string>

const write = (value: unknown) => JSON.stringify(value, BufferJSON.replacer)
const read = (text: string) => JSON.parse(text, BufferJSON.reviver)

function authOf(store: ClientStore): { auth: AuthenticationState; save: () => void } {
  const creds = store.has('creds') ? read(store.get('creds')!) : initAuthCreds()
  const keys: SignalKeyStore = {
    get: (type, ids) => {
      const found = ids.flatMap((id) => (store.has(`${type} ${id}`) ? [[id, read(store.get(`${type} ${id}`)!)]] : []))
      return Object.fromEntries(found)
    },
    set: (data) => {
      for (const [type, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries))
          if (value) store.set(`${type} ${id}`, write(value))
          else store.delete(`${type} ${id}`)
    },
  }
  return { auth: { creds, keys }, save: () => void store.set('creds', write(creds)) }
}

/** Client of the real library, with everything that it received. */
export type Client = ReturnType<typeof openClient>

/** Opens a client of the library at a server, from its stored state; `root` is the certificate that it trusts. */
export function openClient(
  server: WhatsAppServer,
  store: ClientStore = new Map(),
  options: Partial<UserFacingSocketConfig> = {},
  root: string | undefined = server.root,
) {
  const { auth, save } = authOf(store)
  save()
  const settings = { auth, waWebSocketUrl: server.url, logger: silent, retryRequestDelayMs: 1, ...options }
  const socket = believing(root, () => makeWASocket(settings))
  const messages: WAMessage[] = []
  const updates: WAMessageUpdate[] = []
  const mappings: { lid: string; pn: string }[] = []
  const history: WAMessage[] = []
  const names = new Map<string, string>()
  const state: Partial<ConnectionState> = {}
  const codes: string[] = []
  const acks: { id: string; error: string | undefined }[] = []
  socket.ev.on('creds.update', save)
  socket.ev.on('messages.upsert', (upsert) => void messages.push(...upsert.messages))
  socket.ev.on('messages.update', (all) => void updates.push(...all))
  socket.ev.on('messaging-history.set', (set) => {
    history.push(...set.messages)
    mappings.push(...(set.lidPnMappings ?? []))
    for (const { id, notify } of set.contacts) if (notify) names.set(id!, notify)
  })
  socket.ws.on('CB:ack,class:message', ({ attrs }) => void acks.push({ id: attrs.id, error: attrs.error }))
  const closed = new Promise<number>((resolve) => {
    socket.ev.on('connection.update', (update) => {
      Object.assign(state, update)
      if (update.qr) codes.push(update.qr)
      const error = update.lastDisconnect?.error as { output?: { statusCode: number } } | undefined
      if (update.connection === 'close') resolve(error?.output?.statusCode ?? 0)
    })
  })
  return {
    socket,
    store,
    messages,
    updates,
    mappings,
    history,
    names,
    state,
    codes,
    /** Acknowledgements of the server, with the code if it refused. */
    acks,
    /** Code with which the connection ended. */
    closed,
    open: () => until(() => state.connection === 'open' && state.receivedPendingNotifications === true),
    /** Closes the connection without notice to the server. */
    async close() {
      await socket.end(undefined)
    },
  }
}

/** Links a new client to a phone and opens it as its device. */
export async function linkClient(
  server: WhatsAppServer,
  phone: { scan(qr: string): Promise<unknown> },
  options: Partial<UserFacingSocketConfig> = {},
) {
  const first = openClient(server)
  await until(() => first.codes.length > 0)
  await phone.scan(first.codes[0]!)
  await first.closed
  const client = openClient(server, first.store, options)
  await client.open()
  return client
}
