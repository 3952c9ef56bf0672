/** What is counted of a company, and how one more than its plan has is refused (decision B12). */
export const LIMITS = {
  users: { name: 'Usuários', refusal: 'ERR_MAX_USERS' },
  connections: { name: 'Conexões', refusal: 'ERR_MAX_CONNECTIONS' },
} as const

/** Something that a plan may leave out: a type of channel, as connections name it. */
export type Feature = `channel:${string}`

/** How whoever asks for something is refused that the plan leaves out. */
export const FEATURE_REFUSAL = 'ERR_CHANNEL_NOT_ALLOWED'

/** The feature that a type of channel is. */
export const featureOf = (channelType: string): Feature => `channel:${channelType}`

/** What a company has, of its allowed channel types; null: every one, those to come too. */
export const featuresOf = (allowedChannels: readonly string[] | null): Feature[] | null =>
  allowedChannels?.map(featureOf) ?? null
