import { t } from '#web/t.ts'
import css from './composer.module.css'

/** Warning of a text over the channel's limit, in characters or bytes. */
export function TooLong({ used: now, most, isInBytes }: { used: number; most: number; isInBytes: boolean }) {
  return (
    <p className={css.tooLong} role="alert">
      {t('{now} de {most} caracteres: o canal não leva mais.', { now, most })}
      {isInBytes && ` ${t('Letras com acento contam como duas, emojis como quatro ou mais.')}`}
    </p>
  )
}
