import { randomUUID } from 'node:crypto'
import { channelAdapters } from '#providers/channels/adapters.ts'
import type { ChannelCapabilities } from '#providers/channels/config.ts'
import type { ChannelConfig } from '#providers/channels/configs.ts'
import type { ChannelAdapter, Link, Outbound } from '#providers/channels/port.ts'

export type Flag = keyof ChannelCapabilities

/** Makes an adapter that lacks a promised capability. */
type Broken = (adapter: ChannelAdapter) => Partial<ChannelAdapter>

const sends =
  (change: (message: Outbound) => Partial<Outbound>): Broken =>
  ({ send }) => ({ send: (message) => send({ ...message, ...change(message) }) })
const neverActs =
  (...types: string[]): Broken =>
  ({ act }) => ({ act: async (action) => (types.includes(action.type) ? undefined : act!(action)) })
const answers =
  (answer: unknown): Broken =>
  () => ({ ask: async () => answer as never })
const showsNo =
  (code: 'qrcode' | 'pairingCode') =>
  ({ status }: Link): Partial<Link> => ({
    status: async (name, about) => (about?.[code] ? undefined : status(name, about)),
  })
const tellsNothing: Broken = ({ receive }) => ({
  receive: async (request) => {
    const result = await receive!(request)
    return result.isGenuine ? { ...result, events: [] } : result
  },
})

/**
 * For each capability a channel that has it, and its defect: the suite must fail on it. `fromStart`: the capability matters
 * when a contact writes first. Null if the product itself provides the capability, whatever the adapter does.
 */
export const broken: {
  readonly [F in Flag]: {
    readonly by: string
    readonly without?: Broken
    /** Breaks the link of an adapter with an open connection. */
    readonly link?: (link: Link) => Partial<Link>
    readonly fromStart?: true
  } | null
} = {
  maxTextLength: { by: 'sample', without: sends(({ body }) => ({ body: body.slice(0, 100) })) },
  maxTextBytes: { by: 'instagram', without: sends(({ body }) => ({ body: body.slice(0, 100) })) },
  smsParts: null,
  optOut: null,
  files: { by: 'sample', without: sends(() => ({ file: null })) },
  quote: { by: 'baileys', without: sends(() => ({ quotedProviderId: null, quoted: null })) },
  forward: { by: 'baileys', without: sends(() => ({ isForwarded: false })) },
  react: { by: 'sample', without: neverActs('react') },
  editMinutes: { by: 'sample', without: neverActs('edit') },
  revokeHours: { by: 'sample', without: neverActs('revoke') },
  contact: { by: 'baileys', without: sends(() => ({ type: 'text', data: null })) },
  location: { by: 'baileys', without: sends(() => ({ type: 'text', data: null })) },
  buttons: { by: 'lab', without: sends(() => ({ data: null })) },
  list: { by: 'sample', without: sends(() => ({ data: null })) },
  link: { by: 'meta', without: sends(() => ({ type: 'text', data: null })) },
  form: { by: 'meta', without: sends(() => ({ type: 'text', data: null })) },
  locationRequest: { by: 'meta', without: sends(() => ({ type: 'text', data: null })) },
  poll: { by: 'baileys', without: sends(() => ({ type: 'text', data: null })) },
  viewOnce: { by: 'baileys', without: sends(() => ({ data: null })) },
  groups: {
    by: 'baileys',
    link: ({ emit }) => ({
      emit: (events, changes) =>
        emit(
          events.filter(({ conversationKey }) => !conversationKey.endsWith('@g.us')),
          changes,
        ),
    }),
  },
  groupTools: { by: 'baileys', without: answers([]) },
  mentions: { by: 'baileys', without: sends(() => ({ mentions: null })) },
  presence: { by: 'baileys', without: neverActs('presence') },
  calls: { by: 'baileys', without: answers(false) },
  receipts: {
    by: 'sample',
    without: ({ receive }) => ({
      receive: async (request) => {
        const result = await receive!(request)
        if (!result.isGenuine) return result
        return { ...result, events: result.events.filter(({ event }) => event.type !== 'receipt') }
      },
    }),
  },
  numberCheck: { by: 'sample', without: answers(null) },
  picture: { by: 'sample', without: answers(null) },
  names: { by: 'messenger', without: answers(null), fromStart: true },
  addressBook: { by: 'lab', without: answers({ contacts: [], next: null }) },
  history: { by: 'sample', without: answers([]) },
  qr: { by: 'baileys', link: showsNo('qrcode') },
  pairingCode: { by: 'baileys', link: showsNo('pairingCode') },
  templates: { by: 'sample', without: answers([]) },
  windowHours: null,
  humanAgentDays: { by: 'messenger', without: sends(() => ({ isHumanAgent: false })) },
  commentDays: { by: 'instagram', without: sends(() => ({ commentId: null })) },
  freeHoursAfterAd: null,
  begins: null,
  idempotentSending: { by: 'sample', without: sends(() => ({ messageId: randomUUID() })) },
  threads: {
    by: 'webmail',
    fromStart: true,
    link: ({ emit }) => ({
      emit: (events, changes) =>
        emit(
          events.map((event) => ('sender' in event ? { ...event, conversationKey: event.sender.identity } : event)),
          changes,
        ),
    }),
  },
  settledWithin: { by: 'messenger', without: tellsNothing },
}

/** Open adapters by channel, for persistent connections: only the open one sends. */
const opened = new Map<string, ChannelAdapter>()

/** Returns the open adapter of a channel with a persistent connection. */
export const openedAdapter = (id: string): ChannelAdapter | undefined => opened.get(id)

/** Registers a channel's adapters; the returned function breaks one capability of them, or none. */
export function breakable({ id, isPersistent }: ChannelConfig): (flag: Flag | null) => void {
  const make = channelAdapters[id]!
  let left: Flag | null = null
  channelAdapters[id] = (values, tools) => {
    const made = make(values, tools)
    const now = () => ({ ...made, ...(left && broken[left]?.without?.(made)) })
    const adapter: ChannelAdapter = {
      ...made,
      send: (message) => now().send(message),
      ...(made.act ? { act: (action) => now().act!(action) } : {}),
      ...(made.ask ? { ask: (question, about) => now().ask!(question, about) } : {}),
      ...(made.receive ? { receive: (request) => now().receive!(request) } : {}),
    }
    if (!isPersistent) return adapter
    const open: ChannelAdapter['open'] = (link) => {
      opened.set(id, adapter)
      const given = () => ({ ...link, ...(left && broken[left]?.link?.(link)) })
      return made.open!({
        ...link,
        emit: (events, changes) => given().emit(events, changes),
        status: (status, about) => given().status(status, about),
      })
    }
    return { ...adapter, open }
  }
  return (flag) => {
    left = flag
  }
}
