import type { ChannelConfig, ContactField } from './config.ts'

/** What the first screens know of a channel: its types with their names, how it is drawn, and how its settings are called. */
export type ChannelLooks = Pick<ChannelConfig, 'id' | 'types' | 'look'> & {
  readonly isUnfinished?: true
  readonly contactField?: ContactField
  readonly settingsName?: string
}

/** That part of a config. */
export const lookOf = ({ id, types, look, isUnfinished, contactField, settings }: ChannelConfig): ChannelLooks => ({
  ...{ id, types, look },
  ...(isUnfinished ? { isUnfinished } : {}),
  ...(contactField ? { contactField } : {}),
  ...(settings ? { settingsName: settings.name } : {}),
})
