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

/** Every kind of channel, one line each; tests add their own. */
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

/** A type of connection with the name that people read, and the channel that it is of. */
export type ChannelType = { readonly type: string; readonly name: string; readonly config: ChannelConfig }

/** Every type of connection. */
export const channelTypes = (): ChannelType[] =>
  channelConfigs.flatMap((config) => config.types.map((type) => ({ ...type, config })))

/** The channel whose addresses a field of a contact shows; without one the field stands for itself. */
export const channelOfField = (field: ContactField): string =>
  channelTypes().find(({ config }) => config.contactField === field)?.type ?? field

/** The types whose connections are kept open, also of what is still being built. */
export const persistentTypes = (): string[] =>
  channelConfigs.flatMap(({ isPersistent, types }) => (isPersistent ? typeNames(types) : []))

/** The types whose conversations go on by mail, and those whose connections send such mails. */
export const continuedTypes = (): string[] =>
  channelConfigs.flatMap(({ continues, types }) => (continues === 'away' ? typeNames(types) : []))
export const continuingTypes = (): string[] =>
  channelConfigs.flatMap(({ continues, types }) => (continues === 'others' ? typeNames(types) : []))

/** The names of those types on the wire. */
export const channelTypeIds = (): string[] => channelTypes().map(({ type }) => type)

/** The type of a connection, offered or not, by its name of today or of before; undefined for one that this version does not have. */
export function channelType(type: string): ChannelType | undefined {
  const found = withType(channelConfigs, type)
  return found && { type: found.known.type, name: found.variant?.name ?? found.known.name, config: found.channel }
}

/** As what type a connection is stored: the variant that its values name, where it is of a type that has any. */
export function storedType({ type, config }: ChannelType, values: ProviderValues): string {
  const named = config.picked && values[config.picked.variant]
  const { variants = [] } = config.types.find((one) => one.type === type) ?? {}
  return variants.find((one) => one.type === named)?.type ?? type
}

/** What a type of channel can do; an unknown one can do nothing. */
export function capabilitiesOf(type: string): ChannelCapabilities {
  const found = withType(channelConfigs, type)
  if (!found) return noCapabilities
  const { channel, variant } = found
  const own = variant?.capabilities
  return own ? { ...channel.capabilities, ...own } : channel.capabilities
}

/** The channel as which the settings of a channel's connections are kept, and their accounts named; its own without any. */
export const settingsIdOf = ({ id, settingsOf }: ChannelConfig): string => settingsOf ?? id

/** Whether we register at the provider of a type where it calls each of its connections. */
export const registersWebhook = (type: string): boolean => channelType(type)?.config.webhook?.isRegistered === true

/** The most bytes that a file of any kind may have; 0 where no files are carried. */
export const maxFileBytes = ({ files }: ChannelCapabilities): number =>
  Math.max(0, ...Object.values(files).map(({ maxBytes }) => maxBytes))
