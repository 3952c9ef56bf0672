import type { FileKind, FileLimits } from '#domain/messages/file-limits.ts'
import type { ListLimits } from '#domain/messages/interactive.ts'
import type { NamedType } from '#kit/channel-types.ts'
import type { ProviderConfig, ProviderFields } from '#kit/provider.ts'

/** Look of a channel: names that the design system maps to an icon and a muted colour. */
export type ChannelLook = {
  readonly icon:
    | ('whatsapp' | 'instagram' | 'messenger' | 'telegram' | 'webchat' | 'email' | 'sms' | 'phone' | 'lab')
    | ('hub' | 'store' | 'linkedin' | 'twitter' | 'tiktok' | 'youtube')
  readonly color: 'green' | 'pink' | 'blue' | 'sky' | 'indigo' | 'amber' | 'grey' | 'teal' | 'violet'
}

type DrawnType = NamedType & {
  /** Variants of a type, each with its own name and look; `capabilities` override the channel's. */
  readonly variants?: readonly {
    readonly type: string
    readonly name: string
    readonly look: ChannelLook
    readonly capabilities?: Partial<ChannelCapabilities>
  }[]
}

/** Capabilities of a channel, as data; limits both what screens offer and what the server accepts. */
export type ChannelCapabilities = {
  /** Maximum length of a text in characters, and in UTF-8 bytes (null: no further limit). */
  readonly maxTextLength: number
  readonly maxTextBytes: number | null
  /** Whether texts are SMS, charged per part; the parts are counted while typing. */
  readonly smsParts: boolean
  /** Whether contacts may opt out of automatic messages by a keyword; afterwards only a person answers them. */
  readonly optOut: boolean
  /** Supported kinds of files with their limits; other kinds are refused. */
  readonly files: FileLimits
  readonly quote: boolean
  /** Whether messages can be forwarded; marked as forwarded where the channel can. */
  readonly forward: boolean
  readonly react: boolean
  /** Minutes in which an own message may be edited, and hours in which it may be revoked for all; null: never. */
  readonly editMinutes: number | null
  readonly revokeHours: number | null
  /** Whether contact cards and locations are supported. */
  readonly contact: boolean
  readonly location: boolean
  /** Maximum number of buttons of a message, and of characters of each; null: unsupported. */
  readonly buttons: { readonly max: number; readonly chars: number } | null
  /** Maximum number of rows of a list message, and of characters of each part; null: unsupported. */
  readonly list: ListLimits | null
  /** Maximum number of characters of a link button and of a form button; null: unsupported. */
  readonly link: { readonly chars: number } | null
  readonly form: { readonly chars: number } | null
  /** Whether the contact can be asked for their location. */
  readonly locationRequest: boolean
  /** Maximum number of options of a poll, and of characters of each; null: unsupported. */
  readonly poll: { readonly max: number; readonly chars: number } | null
  /** Kinds of files that can be sent as view once; `audio` for voice notes only. */
  readonly viewOnce: readonly FileKind[]
  /** Whether groups and mentions in them are supported. */
  readonly groups: boolean
  readonly mentions: boolean
  /** Whether groups can be listed and created, and their data and members changed. */
  readonly groupTools: boolean
  /** Whether a typing indicator can be shown to the contact. */
  readonly presence: boolean
  /** Whether contacts can call; calls are refused. */
  readonly calls: boolean
  /** Supported receipts beyond "sent". */
  readonly receipts: readonly ('delivered' | 'read' | 'played')[]
  /** Whether the channel can check if a number is reachable, and return its address. */
  readonly numberCheck: boolean
  /** Whether contacts' pictures and their changes are available. */
  readonly picture: boolean
  /** Whether a contact's name can be queried, because messages come without it. */
  readonly names: boolean
  /** Whether the named contacts of the account can be listed. */
  readonly addressBook: boolean
  /** Whether messages from before the connection can be imported. */
  readonly history: boolean
  /** Supported ways to link a device. */
  readonly qr: boolean
  readonly pairingCode: boolean
  readonly templates: boolean
  /** Hours after the contact's last message in which one may write freely; null: always. */
  readonly windowHours: number | null
  /** Days after the contact's last message in which a person may still write, marked as such; null: not beyond the window. */
  readonly humanAgentDays: number | null
  /** Days in which a public comment can be answered once in private to its author; null: no comments. */
  readonly commentDays: number | null
  /** Whether each subject is a separate conversation; a contact may then have several at once. */
  readonly threads: boolean
  /** Hours without charge after a contact came through an ad; null: unknown. */
  readonly freeHoursAfterAd: number | null
  /** Party that may begin a conversation; `contact`: only contacts who have written before can be written to. */
  readonly begins: 'anyone' | 'contact'
  /** Whether sending the same message id twice delivers it once; only then is a send with a lost response retried. */
  readonly idempotentSending: boolean
  /** Seconds within which the provider itself reports a message whose response was lost; null: never. */
  readonly settledWithin: number | null
}

/** Default of every capability: none. */
export const noCapabilities: ChannelCapabilities = {
  maxTextLength: 0,
  maxTextBytes: null,
  smsParts: false,
  optOut: false,
  files: {},
  quote: false,
  forward: false,
  react: false,
  editMinutes: null,
  revokeHours: null,
  contact: false,
  location: false,
  buttons: null,
  list: null,
  link: null,
  form: null,
  locationRequest: false,
  poll: null,
  viewOnce: [],
  groups: false,
  mentions: false,
  groupTools: false,
  presence: false,
  calls: false,
  receipts: [],
  numberCheck: false,
  picture: false,
  names: false,
  addressBook: false,
  history: false,
  qr: false,
  pairingCode: false,
  templates: false,
  windowHours: null,
  humanAgentDays: null,
  commentDays: null,
  threads: false,
  freeHoursAfterAd: null,
  begins: 'contact',
  idempotentSending: false,
  settledWithin: null,
}

/** Fields of a contact that show their address on a channel. */
export type ContactField = 'lid' | 'telegramId' | 'messengerId' | 'instagramPK' | 'hubWhatsapp'

/** Config of a channel, as data that the browser may read; everything except the adapter is derived from it. */
export type ChannelConfig = Omit<ProviderConfig, 'name'> & {
  /** Types of its connections on the wire, with Portuguese names and former names; each may be excluded from a plan. */
  readonly types: readonly DrawnType[]
  readonly look: ChannelLook
  /** Texts for choosing a channel: benefit, requirements, set-up time; `isOfficial`: the provider's own. */
  readonly about: {
    readonly does: string
    readonly asks: string
    readonly takes: string
    readonly isOfficial?: true
  }
  /** Field of a contact that shows its address on the channel, if any. */
  readonly contactField?: ContactField
  /** Screen for creating its connections, if not the form of its fields. */
  readonly screen?: string
  readonly capabilities: ChannelCapabilities
  /** Whether its connections are kept open (`open` of the adapter), each by one process, which alone sends on it. */
  readonly isPersistent?: boolean
  /** Whether fast sending may cost the number: messages are paced by the company's settings, and new conversations limited. */
  readonly isPaced?: boolean
  /**
   * Role in continuing conversations by mail (`continueByMail`): `away`: its conversations continue by mail when the contact
   * is away; `others`: its connections send such mails.
   */
  readonly continues?: 'away' | 'others'
  /** Whether templates are written at the provider only; here they are read, tested and sent. */
  readonly readsTemplates?: true
  /** Field with the account id, if the provider reports the state of numbers (`numbers` of the adapter). */
  readonly businessField?: string
  /** Whether its connections may use a proxy of the company; all traffic goes through `connect`, `fetch` and `stream`. */
  readonly isProxied?: boolean
  /** Optional package that its connections need (`howToInstall`). */
  readonly needs?: string
  /** Environment variables that the adapter reads. */
  readonly environment?: readonly string[]
  /**
   * Webhook of each connection: maximum size of a call in bytes (default 2 MiB), and whether we register it at the provider
   * (`setWebhook`).
   */
  readonly webhook?: { readonly maxBytes?: number; readonly isRegistered?: true }
  /**
   * Settings for all of its connections, by the company or else by the installation, with their name: passed to the adapter
   * as `settings`, edited at `/configuracoes/<id>`.
   */
  readonly settings?: {
    readonly name: string
    readonly fields: ProviderFields
    /** Webhook shared by all connections, with the maximum size of a call in bytes; its events name their account. */
    readonly webhook?: { readonly maxBytes?: number }
    /**
     * Names of the provider logins that connect accounts (`signup` of the adapter), by the adapter's keys; `back`: redirect
     * address, if not its screen.
     */
    readonly signup?: { readonly logins: Readonly<Record<string, string>>; readonly back?: string }
  }
  /** Secret field that expires and is renewed by `renew` of the adapter. */
  readonly renews?: string
  /**
   * Choice of an account among those that the settings give access to (`accounts` of the adapter), instead of filling in
   * fields; `variant`: field that names the type's variant.
   */
  readonly picked?: { readonly label: string; readonly variant: string }
  /** Channel whose settings its connections use; both belong to one app at the provider, which sends their events. */
  readonly settingsOf?: string
  /**
   * Fields of the installation's app at the provider, whose one address serves accounts of several companies. The adapter
   * that reads its calls is created from these values; its events name their account.
   */
  readonly app?: { readonly fields: ProviderFields; readonly maxBytes?: number }
}

/** Part of a channel's config for the first screens: types with names, look, name of its settings. */
export type ChannelLooks = Pick<ChannelConfig, 'id' | 'types' | 'look'> & {
  readonly contactField?: ContactField
  readonly settingsName?: string
}

const drawnAs = ({ capabilities: _, ...drawn }: NonNullable<DrawnType['variants']>[number]) => drawn

/** Returns the look of a channel from its config. */
export const lookOf = ({ id, types, look, contactField, settings }: ChannelConfig): ChannelLooks => ({
  ...{
    id,
    look,
    types: types.map(({ variants, ...type }) => ({
      ...type,
      ...(variants ? { variants: variants.map(drawnAs) } : {}),
    })),
  },
  ...(contactField ? { contactField } : {}),
  ...(settings ? { settingsName: settings.name } : {}),
})
