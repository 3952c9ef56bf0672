import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { delayRange } from '#domain/campaigns/pacing.ts'
import { query } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { AuditIcon } from '#web/ui/icons.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import { outreach } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import css from './campaigns.module.css'
import { daysText } from './labels.ts'
import { NONE } from './report-filter.ts'

/** Card with the care of a campaign: interval, hours, variety, and opt-outs. */
export function CareCard({ row }: { row: Campaign }) {
  const { delay, windowStart, windowEnd, weekdays, message2, message3, template, optedOut, replied } = row
  const { data: care } = useQuery({
    ...query(outreach.get, { params: { id: row.sessionId ?? 0 } }),
    enabled: row.sessionId !== null,
  })
  const reached = row.sent + row.delivered + row.read
  const [least, most] = delayRange(delay)
  const texts = 1 + [message2, message3].filter(Boolean).length
  const [, setUrl] = useUrlState()
  const opening = (count: number, filter: Record<string, string>) => (
    <button type="button" className={css.figure} disabled={count === 0} onClick={() => setUrl({ ...NONE, ...filter })}>
      {shareOf(count, reached)}
    </button>
  )
  const pairs: readonly (readonly [string, ReactNode])[] = [
    [
      t('Intervalo'),
      delay === 0
        ? t('sem intervalo')
        : t('{least} a {most} s', { least: Math.round(least / 1000), most: Math.round(most / 1000) }),
    ],
    [t('Horário'), t('{from} às {to}', { from: windowStart, to: windowEnd })],
    [t('Dias'), daysText(weekdays)],
    [
      t('Mensagens'),
      template ? t('modelo {name}', { name: template.name }) : plural(texts, t('texto'), t('em rodízio')),
    ],
    [t('Responderam'), opening(replied, { replied: 'true' })],
    [t('Pediram para sair'), opening(optedOut, { optedOut: 'true' })],
    ...(care?.firstContactsLimit
      ? [
          [
            t('Primeiros contatos hoje'),
            t('{count} de {limit}', { count: care.firstContactsToday, limit: care.firstContactsLimit }),
          ] as const,
        ]
      : []),
  ]
  return (
    <Card title={t('Cuidado com o número')}>
      <dl className={css.pairs}>
        {pairs.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {care && <CareState level={care.level} />}
      {care && care.reasons.length > 0 && <p className={css.hint}>{care.reasons.join(' ')}</p>}
      {care?.until && (
        <p className={css.hint}>{t('Pode continuar em {when}.', { when: formatDateTime(care.until) })}</p>
      )}
    </Card>
  )
}

function CareState({ level }: { level: keyof typeof RISKS }) {
  return (
    <p className={css.care} data-level={level}>
      <AuditIcon size={17} />
      {RISKS[level]}
    </p>
  )
}

const RISKS = {
  good: t('Risco baixo de bloqueio'),
  warn: t('Atenção com o número'),
  stop: t('O número precisa parar'),
} as const

const shareOf = (count: number, of: number): string =>
  of > 0
    ? t('{count} ({share}%)', {
        count: formatNumber(count),
        share: ((100 * count) / of).toLocaleString('pt-BR', { maximumFractionDigits: 1 }),
      })
    : formatNumber(count)
