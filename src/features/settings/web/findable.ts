import { settingEntries } from '#kit/settings.ts'
import '#web/registries.ts'
import type { Finding } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { isShown } from './labels.ts'

/** Section key of the colours. */
export const COLORS = 'cores'

/** Search entries of the general settings. */
export const findable = (): Finding[] => [
  ...settingEntries()
    .filter(isShown)
    .map(([id, { label, effect, group }]) => ({ id, label: t(label), keywords: `${t(effect)} ${t(group ?? '')}` })),
  { id: COLORS, label: t('Cores da empresa'), keywords: t('cor primária destaque aparência') },
]
