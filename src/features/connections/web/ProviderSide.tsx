import { Link } from '@tanstack/react-router'
import { channelTypes } from '#providers/channels/configs.ts'
import { useChoices } from '#web/choices.ts'
import { formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { ErrorIcon, PositiveIcon } from '#web/ui/icons.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import css from './provider-screen.module.css'
import { StatePill } from './StatePill.tsx'

/** What a test found, when, and how long it took. */
export type Trial = { readonly ok: boolean; readonly text: string; readonly at: number; readonly ms: number }

/** Beside the form of a provider: what the last test found, and the channels that go by it. */
export function ProviderSide({ id, trial }: { id: string; trial: Trial | undefined }) {
  const types = channelTypes().flatMap(({ type, config }) => (config.id === id ? [type] : []))
  const rows = useChoices('connections').filter(({ type }) => types.includes(type))
  const Icon = trial?.ok ? PositiveIcon : ErrorIcon
  return (
    <div className={css.side}>
      <div aria-live="polite">
        {trial && (
          <section className={css.verdict} data-tone={trial.ok ? 'pos' : 'neg'} aria-label={t('Resultado do teste')}>
            <Icon size={20} />
            <div>
              <h2>{trial.ok ? t('Funciona') : t('Não funcionou')}</h2>
              <small>{t('Testado às {time}, em {ms} ms', { time: formatTime(trial.at), ms: trial.ms })}</small>
              <p>{trial.text}</p>
            </div>
          </section>
        )}
      </div>
      <section className={css.users} aria-label={t('Canais que usam esta integração')}>
        <h2>{t('Canais que usam esta integração')}</h2>
        {rows.length === 0 && <p>{t('Nenhum ainda. Depois de salvar, adicione um em Canais.')}</p>}
        <ul>
          {rows.map((row) => {
            const { Icon: Channel } = channelLook(row.type)
            return (
              <li key={row.id}>
                <Channel size={17} />
                <Link to={'/sessoes' as string} search={{ busca: row.name } as never} className="g-cut">
                  {row.name}
                </Link>
                <StatePill row={row} />
              </li>
            )
          })}
        </ul>
      </section>
    </div>
  )
}
