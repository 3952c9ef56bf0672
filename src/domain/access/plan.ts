/** What is counted of a company, and how one more than its plan has is refused (decision B12). */
export const LIMITS = {
  users: { name: 'Usuários', refusal: 'ERR_MAX_USERS' },
  connections: { name: 'Conexões', refusal: 'ERR_MAX_CONNECTIONS' },
} as const

/** What a plan may leave out, and how whoever asks for it is refused. A channel type that is added is one line here. */
export const FEATURES = {
  'channel:webchat': { name: 'WebChat', refusal: 'ERR_CHANNEL_NOT_ALLOWED' },
  'channel:lab': { name: 'Laboratório de canais', refusal: 'ERR_CHANNEL_NOT_ALLOWED' },
} as const

/** The name of something that a plan may leave out. */
export type Feature = keyof typeof FEATURES

/** Everything that a plan may leave out. */
export const allFeatures = Object.keys(FEATURES) as Feature[]

/** A type of channel, as connections name it. */
type ChannelType = Feature extends `channel:${infer T}` ? T : never

const channelOf = (feature: Feature): ChannelType => feature.replace('channel:', '') as ChannelType

/** The channel types that there are. */
export const channelTypes = allFeatures.map(channelOf)

/** What a company has, of its allowed channel types; null: every one, those to come too. */
export const featuresOf = (allowedChannels: readonly string[] | null): Feature[] =>
  allFeatures.filter((feature) => !allowedChannels || allowedChannels.includes(channelOf(feature)))
