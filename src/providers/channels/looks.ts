import { lookOf } from './config.ts'
import { channelConfigs } from './configs.ts'

/** Looks of all channels; written out by the browser's build, so that the first screen loads no channel's form. */
export const channelLooks = channelConfigs.map(lookOf)
