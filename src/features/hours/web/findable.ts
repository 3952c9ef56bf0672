import type { Finding } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { settings } from '../settings.ts'

/** Search entries of the business hours page. */
export const findable = (): Finding[] =>
  [settings.messageBusinessHours, settings.holidays].map(({ label, effect }) => ({
    label: t(label),
    keywords: t(effect),
  }))
