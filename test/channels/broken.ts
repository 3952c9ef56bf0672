import { randomUUID } from 'node:crypto'
import type { ChannelCapabilities } from '#providers/channels/config.ts'
import type { ChannelAdapter, Link, Outbound } from '#providers/channels/port.ts'

export type Flag = keyof ChannelCapabilities

/** An adapter that leaves out what a capability promises. */
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
 * For each capability a channel that has it, and how it is without: the suite must notice. `fromStart`: what is promised
 * happens when a contact writes first. Null where the product keeps the promise by itself, whatever the adapter does.
 */
export const broken: {
  readonly [F in Flag]: {
    readonly by: string
    readonly without?: Broken
    /** What an adapter whose connection is kept open does not tell. */
    readonly link?: (link: Link) => Partial<Link>
    readonly fromStart?: true
  } | null
} = {
  maxTextLength: { by: 'sample', without: sends(({ body }) => ({ body: body.slice(0, 100) })) },
  maxTextBytes: { by: 'instagram', without: sends(({ body }) => ({ body: body.slice(0, 100) })) },
  files: { by: 'sample', without: sends(() => ({ file: null })) },
  quote: { by: 'baileys', without: sends(() => ({ quotedProviderId: null, quoted: null })) },
  forward: { by: 'baileys', without: sends(() => ({ isForwarded: false })) },
  react: { by: 'sample', without: neverActs('react') },
  editMinutes: { by: 'sample', without: neverActs('edit') },
  revokeHours: { by: 'sample', without: neverActs('revoke') },
  contact: { by: 'baileys', without: sends(() => ({ type: 'text', data: null })) },
  location: { by: 'baileys', without: sends(() => ({ type: 'text', data: null })) },
  buttons: { by: 'lab', without: sends(() => ({ data: null })) },
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
  begins: null,
  idempotentSending: { by: 'sample', without: sends(() => ({ messageId: randomUUID() })) },
  settledWithin: { by: 'messenger', without: tellsNothing },
}
