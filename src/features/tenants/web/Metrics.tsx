import { useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { companies } from '../addresses.ts'
import type { CompanyMetrics } from '../companies.ts'
import css from './companies.module.css'

const figuresOf = ({
  totalMessages,
  tickets,
  contacts,
}: CompanyMetrics): [title: string, rows: [string, number][]][] => [
  [
    t('Mensagens'),
    [
      [t('Enviadas'), totalMessages.sent],
      [t('Recebidas'), totalMessages.received],
    ],
  ],
  [
    t('Atendimentos'),
    [
      [t('Em todos os status'), tickets.total],
      [t('Abertos'), tickets.open],
      [t('Pendentes'), tickets.pending],
      [t('Resolvidos'), tickets.closed],
      [t('Com mensagem agendada'), tickets.schedule],
    ],
  ],
  [t('Contatos'), [[t('Cadastrados'), contacts.total]]],
]

/** Usage figures of a company, counted on display. */
export function Metrics({ tenantId }: { tenantId: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: [companies.metrics.family, companies.metrics.name, tenantId],
    queryFn: ({ signal }) => call(companies.metrics, { body: { tenantId } }, { signal }),
  })
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data) return <SkeletonRows kind="card" rows={3} />
  return figuresOf(data).map(([title, rows]) => (
    <section key={title}>
      <h3 className={css.heading}>{title}</h3>
      <dl className={css.figures}>
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
