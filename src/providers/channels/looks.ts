import { lookOf } from './config.ts'
import { channelConfigs } from './configs.ts'

/** The looks of every channel; the browser's build writes them out, so that no form of a channel comes with the first screen. */
export const channelLooks = channelConfigs.map(lookOf)
