import { formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { ErrorIcon, PositiveIcon } from '#web/ui/icons.ts'
import css from './provider-screen.module.css'
import type { Trial } from './trial.ts'

/** Result of a test, with its text and time. */
export function Verdict({ trial: { ok, text, at, ms } }: { trial: Trial }) {
  const Icon = ok ? PositiveIcon : ErrorIcon
  return (
    <section className={css.verdict} data-tone={ok ? 'pos' : 'neg'} aria-label={t('Resultado do teste')}>
      <Icon size={20} />
      <div>
        <h2>{ok ? t('Funciona') : t('Não funcionou')}</h2>
        <small>{t('Testado às {time}, em {ms} ms', { time: formatTime(at), ms })}</small>
        <p>{text}</p>
      </div>
    </section>
  )
}
