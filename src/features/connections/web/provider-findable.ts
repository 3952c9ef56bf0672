import { channelConfigs } from '#providers/channels/configs.ts'
import type { Finding } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Returns the search entries of the settings on a provider's screen. */
export const findableOf = (id: string): Finding[] =>
  Object.values(channelConfigs.find((one) => one.id === id)?.settings?.fields ?? {}).map(({ label }) => ({
    label: t(label),
  }))
