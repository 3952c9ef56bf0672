import { formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { ErrorIcon, PositiveIcon } from '#web/ui/icons.ts'
import css from './provider-screen.module.css'

/** What a test found, when, and how long it took. */
export type Trial = { readonly ok: boolean; readonly text: string; readonly at: number; readonly ms: number }

/** Asks for a test and notes when that was and how long it took. */
export async function timed(ask: () => Promise<{ ok: boolean; text: string }>): Promise<Trial> {
  const at = Date.now()
  const found = await ask()
  return { ...found, at, ms: Date.now() - at }
}

/** What a test found, in words. */
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
