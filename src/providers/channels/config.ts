import type { FileKind, FileLimits } from '#domain/messages/file-limits.ts'
import type { ListLimits } from '#domain/messages/interactive.ts'
import type { NamedType } from '#kit/channel-types.ts'
import type { ProviderConfig, ProviderFields } from '#kit/provider.ts'

/** How a channel is drawn: names that the design system turns into an icon and a muted colour. */
export type ChannelLook = {
  readonly icon:
    | ('whatsapp' | 'instagram' | 'messenger' | 'telegram' | 'webchat' | 'email' | 'sms' | 'phone' | 'lab')
    | ('hub' | 'store' | 'linkedin' | 'twitter' | 'tiktok' | 'youtube')
  readonly color: 'green' | 'pink' | 'blue' | 'sky' | 'indigo' | 'amber' | 'grey' | 'teal' | 'violet'
}

type DrawnType = NamedType & {
  /** Each is drawn as what it is, and can do what is said beside it in place of what its type can. */
  readonly variants?: readonly {
    readonly type: string
    readonly name: string
    readonly look: ChannelLook
    readonly capabilities?: Partial<ChannelCapabilities>
  }[]
}

/** What a channel can do, as data: screens offer no more, and the server takes no more. */
export type ChannelCapabilities = {
  /** Characters of a text, and how many bytes it may have besides (in UTF-8; null: as many as it has). */
  readonly maxTextLength: number
  readonly maxTextBytes: number | null
  /** Whether texts go as text messages, so many for each: they are counted while one writes. */
  readonly smsParts: boolean
  /** Whether contacts end by a word what nobody wrote to them; only a person answers them then. */
  readonly optOut: boolean
  /** The kinds of files that it carries; one that is left out is refused. */
  readonly files: FileLimits
  readonly quote: boolean
  /** Whether messages are passed on by it; it says that they were, where it can. */
  readonly forward: boolean
  readonly react: boolean
  /** For how many minutes an own message may be changed, and for how many hours taken back for all; null: never. */
  readonly editMinutes: number | null
  readonly revokeHours: number | null
  /** Whether it carries contact cards, and places. */
  readonly contact: boolean
  readonly location: boolean
  /** How many buttons a message may have, with how many characters each; null: none. */
  readonly buttons: { readonly max: number; readonly chars: number } | null
  /** How many rows a list to choose from may have in all, with how many characters each of its parts; null: it has no lists. */
  readonly list: ListLimits | null
  /** With how many characters a button may lead to a page, or open a form; null: it has no such messages. */
  readonly link: { readonly chars: number } | null
  readonly form: { readonly chars: number } | null
  /** Whether the contact can be asked for their place. */
  readonly locationRequest: boolean
  /** How many options a poll may have, with how many characters each; null: it has no polls. */
  readonly poll: { readonly max: number; readonly chars: number } | null
  /** The kinds of files that the contact can be let see, or of voice notes hear, once. */
  readonly viewOnce: readonly FileKind[]
  /** Whether it has groups, and whether a message there can mention members. */
  readonly groups: boolean
  readonly mentions: boolean
  /** Whether it lists its groups, makes new ones and changes them and their members. */
  readonly groupTools: boolean
  /** Whether the contact can be shown that somebody writes. */
  readonly presence: boolean
  /** Whether contacts call by it, and are refused. */
  readonly calls: boolean
  /** Which ticks it gives beyond "sent". */
  readonly receipts: readonly ('delivered' | 'read' | 'played')[]
  /** Whether it can say if a number has WhatsApp, and by which address. */
  readonly numberCheck: boolean
  /** Whether it shows how its contacts look, and tells when they look otherwise. */
  readonly picture: boolean
  /** Whether it says what somebody is called when it is asked, as it does not with their messages. */
  readonly names: boolean
  /** Whether it can say whom it knows by name. */
  readonly addressBook: boolean
  /** Whether what was said before it was connected can be brought in. */
  readonly history: boolean
  /** How a device is linked, where one is. */
  readonly qr: boolean
  readonly pairingCode: boolean
  readonly templates: boolean
  /** Hours after the contact's last word in which one may write freely; null: always. */
  readonly windowHours: number | null
  /** Days after that word in which a person still may, who says that they are one; null: not beyond the window. */
  readonly humanAgentDays: number | null
  /** Days in which a public comment can be answered to its writer alone, once; null: it has no comments. */
  readonly commentDays: number | null
  /** Whether each subject is a conversation of its own, of which a contact may have several at once. */
  readonly threads: boolean
  /** Hours after an ad by which a contact came in which the provider charges nothing; null: it never says so. */
  readonly freeHoursAfterAd: number | null
  /** Who may begin a conversation: `contact` where nobody can be written to who never wrote. */
  readonly begins: 'anyone' | 'contact'
  /** Whether sending the same message id twice delivers it once; only then is a send repeated whose answer was lost. */
  readonly idempotentSending: boolean
  /** Within how many seconds the provider tells by itself of a message whose answer was lost; null: it never does. */
  readonly settledWithin: number | null
}

/** Nothing at all: a config says beside it what its channel can do. */
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

/** The fields of a contact that show how channels know it. */
export type ContactField = 'lid' | 'telegramId' | 'messengerId' | 'instagramPK' | 'hubWhatsapp'

/** One kind of channel, as data that the browser may read: what everything but the talking itself is derived from. */
export type ChannelConfig = Omit<ProviderConfig, 'name'> & {
  /**
   * The types that its connections have on the wire, with their Portuguese names, and what they were called before; a plan may
   * leave each out.
   */
  readonly types: readonly DrawnType[]
  readonly look: ChannelLook
  /** What somebody reads who chooses a channel: what it brings, what one needs for it, how long it takes; `isOfficial`: the provider's own. */
  readonly about: {
    readonly does: string
    readonly asks: string
    readonly takes: string
    readonly isOfficial?: true
  }
  /** The field of a contact that shows its address there, where one does. */
  readonly contactField?: ContactField
  /** The screen on which its connections are made, where that is not the form of its fields. */
  readonly screen?: string
  readonly capabilities: ChannelCapabilities
  /** Whether its connections are kept open (`open` of its adapter), each by one process, which alone sends by it. */
  readonly isPersistent?: boolean
  /** Whether haste costs its numbers: messages leave at the company's pace, and conversations are begun only so often. */
  readonly isPaced?: boolean
  /** Whether its conversations go on by mail where contacts are `away`, or it is by it that those of `others` do (`continueByMail`). */
  readonly continues?: 'away' | 'others'
  /** Its message templates are written at the provider alone: here they are read, tried and sent. */
  readonly readsTemplates?: true
  /** Where its provider says how numbers stand (`numbers` of its adapter): the field that names of which account they are. */
  readonly businessField?: string
  /** Whether its connections may go by a proxy of the company's: everything of it goes by `connect`, `fetch` and `stream`. */
  readonly isProxied?: boolean
  /** The optional package without which nothing of it can be opened (`howToInstall`). */
  readonly needs?: string
  /** The environment variables that its adapter reads. */
  readonly environment?: readonly string[]
  /** Whether its provider calls us, with how many bytes at most (2 MiB if not said), and whether we tell it where (`setWebhook`). */
  readonly webhook?: { readonly maxBytes?: number; readonly isRegistered?: true }
  /**
   * What is set once for all of its connections, by the company or (for those that have set nothing) by the installation, and
   * how that is called: its adapter reads it as `settings`, its screen is drawn at `/configuracoes/<id>`.
   */
  readonly settings?: {
    readonly name: string
    readonly fields: ProviderFields
    /** Whether its provider calls one address for all of them, with how many bytes at most: its events name their account. */
    readonly webhook?: { readonly maxBytes?: number }
    /**
     * What its logins are called, by the names that its adapter has for them, where accounts are connected by one (`signup`
     * of the adapter); `back`: the address to which they lead, where that is not its screen.
     */
    readonly signup?: { readonly logins: Readonly<Record<string, string>>; readonly back?: string }
  }
  /** The secret of its connections that ends, and is renewed by `renew` of its adapter. */
  readonly renews?: string
  /**
   * What an account is called that is picked of those that its settings open (`accounts` of its adapter), in place of filling in
   * fields: which of the type's variants the connection is comes with it, by the field of that name.
   */
  readonly picked?: { readonly label: string; readonly variant: string }
  /** The channel whose settings its connections read: both are of one app at the provider, which brings their events. */
  readonly settingsOf?: string
  /**
   * What the installation fills in of its app at the provider, where one address serves the accounts of several companies.
   * The adapter that reads its calls is made from these values; its events name their account.
   */
  readonly app?: { readonly fields: ProviderFields; readonly maxBytes?: number }
}

/** What the first screens know of a channel: its types with their names, how it is drawn, and how its settings are called. */
export type ChannelLooks = Pick<ChannelConfig, 'id' | 'types' | 'look'> & {
  readonly contactField?: ContactField
  readonly settingsName?: string
}

const drawnAs = ({ capabilities: _, ...drawn }: NonNullable<DrawnType['variants']>[number]) => drawn

/** That part of a config. */
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
