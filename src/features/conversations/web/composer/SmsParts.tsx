import { smsPartsText } from '#web/sms-parts.ts'
import css from './composer.module.css'

/** As how many text messages a text goes. */
export function SmsParts({ text }: { text: string }) {
  return (
    <p className={css.parts} aria-live="polite">
      {smsPartsText(text)}
    </p>
  )
}
