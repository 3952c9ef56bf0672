/** Countable plan limits with their display names and error codes (decision B12). */
export const LIMITS = {
  users: { name: 'Usuários', refusal: 'ERR_MAX_USERS' },
  connections: { name: 'Canais', refusal: 'ERR_MAX_CONNECTIONS' },
} as const

/** Id of a plan feature: a channel type (`channel:webchat`), or a name from a feature's `plan.ts`. */
export type Feature = string

const CHANNEL = 'channel:'

/** Plan of a company: permitted channel types (null: all, future ones included) and excluded features. */
export type Plan = { readonly channels: readonly string[] | null; readonly excluded: readonly Feature[] }

/** Returns the plan feature of a channel type. */
export const featureOf = (channelType: string): Feature => `${CHANNEL}${channelType}`

/** Whether a plan includes a feature; features that are not excluded are included, future ones too. */
export const includes = ({ channels, excluded }: Plan, feature: Feature): boolean =>
  feature.startsWith(CHANNEL)
    ? channels === null || channels.includes(feature.slice(CHANNEL.length))
    : !excluded.includes(feature)

/** Returns the error code for a feature that the plan excludes. */
export const refusalOf = (feature: Feature): 'ERR_CHANNEL_NOT_ALLOWED' | 'ERR_FEATURE_NOT_ALLOWED' =>
  feature.startsWith(CHANNEL) ? 'ERR_CHANNEL_NOT_ALLOWED' : 'ERR_FEATURE_NOT_ALLOWED'
