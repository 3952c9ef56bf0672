/** Counted limits of a plan, with the error of exceeding each (decision B12). */
export const LIMITS = {
  users: { name: 'Usuários', refusal: 'ERR_MAX_USERS' },
  connections: { name: 'Canais', refusal: 'ERR_MAX_CONNECTIONS' },
} as const

/** Feature that a plan may exclude: a type of channel (`channel:webchat`), or one declared in a feature's `plan.ts`. */
export type Feature = string

const CHANNEL = 'channel:'

/** Plan of a company: its channel types (null: all, future ones included), and the excluded features. */
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
