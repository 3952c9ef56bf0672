import type { Finding } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { mailConfig } from '../forms.ts'

/** Search entries of the mail server pages. */
export const findable = (): Finding[] =>
  Object.values(mailConfig.fields).map(({ label }) => ({ label: t(label), keywords: t('E-mail SMTP') }))
