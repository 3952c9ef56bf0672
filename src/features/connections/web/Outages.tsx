import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { causeTexts } from '#domain/connections/cause-texts.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDateTime, formatSpan, formatTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { connections } from '../connection-addresses.ts'
import type { ConnectionRow, Outage } from '../contract.ts'
import css from './link.module.css'

/** So long after a return nobody has said what was recovered, and it is no longer waited for. */
const CHECK_MS = 120_000

const dayOf = (at: number): string => formatDateTime(at).split(' ')[0]!

/** “14:02–14:31 (29 min)”, over midnight with both days; of one that goes on since when. */
function spanOf({ beganAt, endedAt }: Outage): string {
  if (endedAt === null) return t('Fora desde {time}', { time: formatDateTime(beganAt) })
  const isSameDay = dayOf(beganAt) === dayOf(endedAt)
  const to = isSameDay ? formatTime(endedAt) : formatDateTime(endedAt)
  const span = endedAt - beganAt < 60_000 ? t('menos de 1 min') : formatSpan(endedAt - beganAt)
  return `${t('Fora de {from} a {to}', { from: formatDateTime(beganAt), to })} (${span})`
}

/** What became of what was said meanwhile. */
function gapOf({ endedAt, recovered, missing }: Outage): string {
  if (endedAt === null) return ''
  if (recovered === null)
    return Date.now() - endedAt < CHECK_MS
      ? t('Conferindo o que chegou enquanto isso')
      : t('Não foi possível conferir o que chegou enquanto isso')
  const back = plural(recovered, t('mensagem recuperada'), t('mensagens recuperadas'))
  if (missing === null) return t('{back}; não foi possível conferir se falta alguma', { back })
  return `${back}, ${plural(missing, t('faltando'), t('faltando'))}`
}

/** When a channel was away, why, and what was recovered: the newest first. */
export function Outages({ row: { id, name }, onClose }: { row: ConnectionRow; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(connections.outages, { params: { id }, query: {} }))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      zIndex={50}
      title={t('Quedas de “{name}”', { name })}
      padding={24}
    >
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={3} />}
      {data?.outages.length === 0 && (
        <EmptyState title={t('Nenhuma queda')} text={t('Desde que foi conectado, este canal não esteve fora.')} />
      )}
      <ol className={css.outages}>
        {data?.outages.map((outage) => (
          <li key={outage.id} data-open={outage.endedAt === null || undefined}>
            <b>{causeTexts[outage.cause].text}</b>
            <span>{spanOf(outage)}</span>
            <span>{gapOf(outage) || causeTexts[outage.cause].advice}</span>
          </li>
        ))}
      </ol>
      {data?.hasMore && <p className="g-help">{t('Só as 30 últimas são mostradas.')}</p>}
    </Drawer>
  )
}
