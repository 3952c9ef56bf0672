import { smsPartsOf, withoutAccents } from '#domain/messages/sms.ts'
import { t } from '#web/t.ts'
import css from './composer.module.css'

/** Shows how many SMS parts a text needs, with its accents and without them. */
export function SmsParts({ text }: { text: string }) {
  const { parts, left } = smsPartsOf(text)
  const plain = smsPartsOf(withoutAccents(text)).parts
  return (
    <p className={css.parts} aria-live="polite">
      {t('{parts} SMS · cabem mais {left}', { parts, left })}
      {plain < parts && ` · ${t('sem acentos, {plain} SMS', { plain })}`}
    </p>
  )
}
