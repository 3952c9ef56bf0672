import { t } from '#web/t.ts'
import css from './composer.module.css'

/** What of a text is too much for the channel, in characters or in bytes. */
export function TooLong(props: { used: number; most: number; maxTextBytes: number | null }) {
  const { used: now, most, maxTextBytes } = props
  return (
    <p className={css.tooLong} role="alert">
      {t('{now} de {most} caracteres: o canal não leva mais.', { now, most: maxTextBytes ?? most })}
      {maxTextBytes !== null && ` ${t('Letras com acento contam como duas, emojis como quatro ou mais.')}`}
    </p>
  )
}
