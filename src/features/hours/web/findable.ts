import type { Finding } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { settings } from '../settings.ts'

/** What is set on the screen of the hours. */
export const findable = (): Finding[] =>
  [settings.messageBusinessHours, settings.holidays].map(({ label, effect }) => ({
    label: t(label),
    keywords: t(effect),
  }))
