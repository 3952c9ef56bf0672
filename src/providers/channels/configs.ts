import { typeNames, withType } from '#kit/channel-types.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { baileysConfig } from './baileys/config.ts'
import { type ChannelCapabilities, type ChannelConfig, type ContactField, noCapabilities } from './config.ts'
import { evolutionConfig } from './evolution/config.ts'
import { hubConfig } from './hub/config.ts'
import { labConfig } from './lab/config.ts'
import { labDeviceConfig } from './lab-device/config.ts'
import { metaConfig } from './meta/config.ts'
import { instagramConfig, messengerConfig } from './meta/direct/config.ts'
import { smsConfig } from './sms/config.ts'
import { telegramConfig } from './telegram/config.ts'
import { uazapiConfig } from './uazapi/config.ts'
import { webchatConfig } from './webchat/config.ts'
import { webmailConfig } from './webmail/config.ts'
import { wuzapiConfig } from './wuzapi/config.ts'
import { zapiConfig } from './zapi/config.ts'

export { type ChannelConfig, type ContactField, noCapabilities } from './config.ts'

/** Registry of channel configs, one line each; tests add their own. */
export const channelConfigs: ChannelConfig[] = [
  baileysConfig, //
  metaConfig,
  evolutionConfig,
  wuzapiConfig,
  uazapiConfig,
  zapiConfig,
  instagramConfig,
  messengerConfig,
  telegramConfig,
  hubConfig,
  smsConfig,
  webmailConfig,
  webchatConfig,
  labConfig,
  labDeviceConfig,
]

/** Type of connection, with its name for people and its channel. */
export type ChannelType = { readonly type: string; readonly name: string; readonly config: ChannelConfig }

/** Returns every type of connection. */
export const channelTypes = (): ChannelType[] =>
  channelConfigs.flatMap((config) => config.types.map((type) => ({ ...type, config })))

/** Returns the channel type whose addresses a field of a contact shows; the field itself if there is none. */
export const channelOfField = (field: ContactField): string =>
  channelTypes().find(({ config }) => config.contactField === field)?.type ?? field

/** Returns the types whose connections are kept open, including unfinished channels. */
export const persistentTypes = (): string[] =>
  channelConfigs.flatMap(({ isPersistent, types }) => (isPersistent ? typeNames(types) : []))

/** Returns the types whose conversations continue by mail, and those whose connections send such mails. */
export const continuedTypes = (): string[] =>
  channelConfigs.flatMap(({ continues, types }) => (continues === 'away' ? typeNames(types) : []))
export const continuingTypes = (): string[] =>
  channelConfigs.flatMap(({ continues, types }) => (continues === 'others' ? typeNames(types) : []))

/** Returns the names of all types on the wire. */
export const channelTypeIds = (): string[] => channelTypes().map(({ type }) => type)

/** Returns a connection type by its current or former name, offered or not; undefined if this version lacks it. */
export function channelType(type: string): ChannelType | undefined {
  const found = withType(channelConfigs, type)
  return found && { type: found.known.type, name: found.variant?.name ?? found.known.name, config: found.channel }
}

/** Returns the type that a connection is stored as: the variant named in its values, if its type has variants. */
export function storedType({ type, config }: ChannelType, values: ProviderValues): string {
  const named = config.picked && values[config.picked.variant]
  const { variants = [] } = config.types.find((one) => one.type === type) ?? {}
  return variants.find((one) => one.type === named)?.type ?? type
}

/** Returns the capabilities of a channel type; none for an unknown type. */
export function capabilitiesOf(type: string): ChannelCapabilities {
  const found = withType(channelConfigs, type)
  if (!found) return noCapabilities
  const { channel, variant } = found
  const own = variant?.capabilities
  return own ? { ...channel.capabilities, ...own } : channel.capabilities
}

/** Returns the id of the channel whose settings and accounts a channel's connections use; its own if not set. */
export const settingsIdOf = ({ id, settingsOf }: ChannelConfig): string => settingsOf ?? id

/** Whether the webhook of each connection of a type is registered at the provider by us. */
export const registersWebhook = (type: string): boolean => channelType(type)?.config.webhook?.isRegistered === true

/** Returns the maximum size of a file of any kind, in bytes; 0 if files are unsupported. */
export const maxFileBytes = ({ files }: ChannelCapabilities): number =>
  Math.max(0, ...Object.values(files).map(({ maxBytes }) => maxBytes))
