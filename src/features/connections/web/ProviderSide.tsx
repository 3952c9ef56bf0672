import { Link } from '@tanstack/react-router'
import { t } from '#web/t.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import css from './provider-screen.module.css'
import { StatePill } from './StatePill.tsx'
import type { Trial } from './trial.ts'
import { useUsing } from './use-using.ts'
import { Verdict } from './Verdict.tsx'

/** Side panel of a provider's form: result of the last test, and channels that use the provider. */
export function ProviderSide({ id, trial }: { id: string; trial: Trial | undefined }) {
  const rows = useUsing(id)
  return (
    <div className={css.side}>
      <div aria-live="polite">{trial && <Verdict trial={trial} />}</div>
      <section className={css.users} aria-label={t('Canais que usam esta integração')}>
        <h2>{t('Canais que usam esta integração')}</h2>
        {rows.length === 0 && <p>{t('Nenhum ainda. Depois de salvar, adicione um em Canais.')}</p>}
        <ul>
          {rows.map((row) => {
            const { Icon: Channel } = channelLook(row.type)
            return (
              <li key={row.id}>
                <Channel size={17} />
                <Link to={'/sessoes'} search={{ busca: row.name }} className="g-cut">
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
