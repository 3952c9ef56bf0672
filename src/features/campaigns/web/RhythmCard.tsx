import { useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDateTime, formatNumber, formatTime, isToday } from '#web/format.ts'
import { t } from '#web/t.ts'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import css from './campaigns.module.css'

/** Card with the messages per hour, sent and planned, and the expected end. */
export function RhythmCard({ row }: { row: Campaign }) {
  const { data, error, refetch } = useQuery(query(campaigns.rhythm, { params: { id: row.id } }))
  const most = Math.max(1, ...(data?.hours ?? []).map(({ done, planned }) => done + planned))
  return (
    <Card
      title={t('Ritmo de envio por hora')}
      actions={
        <span className={css.legend}>
          <span>
            <i data-kind="done" />
            {t('Feito')}
          </span>
          <span>
            <i data-kind="planned" />
            {t('Previsto')}
          </span>
        </span>
      }
    >
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {data && (
        <>
          <ul className={css.hours}>
            {data.hours.map(({ at, done, planned }) => (
              <li
                key={at}
                title={t('{hour}: {done} feitas, {planned} previstas', { hour: formatTime(at), done, planned })}
              >
                <span className={css.stack}>
                  {planned > 0 && <i data-kind="planned" style={{ '--share': planned / most }} />}
                  {done > 0 && <i data-kind="done" style={{ '--share': done / most }} />}
                </span>
                <small>{t('{hour}h', { hour: Number(formatTime(at).slice(0, 2)) })}</small>
              </li>
            ))}
          </ul>
          <p className={css.hint}>
            {[
              data.perHour !== null && t('No máximo cerca de {count} por hora', { count: formatNumber(data.perHour) }),
              data.endsAt &&
                t('término previsto {when}', {
                  when: isToday(data.endsAt)
                    ? t('hoje às {time}', { time: formatTime(data.endsAt) })
                    : formatDateTime(data.endsAt),
                }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </>
      )}
    </Card>
  )
}
