import type { Finding } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { mailConfig } from '../forms.ts'

/** What is set on the screens of the mail servers. */
export const findable = (): Finding[] =>
  Object.values(mailConfig.fields).map(({ label }) => ({ label: t(label), keywords: t('E-mail SMTP') }))
