/** What is counted of a company, and how one more than its plan has is refused (decision B12). */
export const LIMITS = {
  users: { name: 'Usuários', refusal: 'ERR_MAX_USERS' },
  connections: { name: 'Canais', refusal: 'ERR_MAX_CONNECTIONS' },
} as const

/** Something that a plan may leave out: a type of channel (`channel:webchat`), or what a feature names in its `plan.ts`. */
export type Feature = string

const CHANNEL = 'channel:'

/** What a company has: its channel types (null: every one, those to come too), and the features that its plan leaves out. */
export type Plan = { readonly channels: readonly string[] | null; readonly excluded: readonly Feature[] }

/** The feature that a type of channel is. */
export const featureOf = (channelType: string): Feature => `${CHANNEL}${channelType}`

/** Whether a plan has a feature; features that are not excluded, also later ones, are included. */
export const includes = ({ channels, excluded }: Plan, feature: Feature): boolean =>
  feature.startsWith(CHANNEL)
    ? channels === null || channels.includes(feature.slice(CHANNEL.length))
    : !excluded.includes(feature)

/** Returns the error code for a feature that the plan excludes. */
export const refusalOf = (feature: Feature): 'ERR_CHANNEL_NOT_ALLOWED' | 'ERR_FEATURE_NOT_ALLOWED' =>
  feature.startsWith(CHANNEL) ? 'ERR_CHANNEL_NOT_ALLOWED' : 'ERR_FEATURE_NOT_ALLOWED'
