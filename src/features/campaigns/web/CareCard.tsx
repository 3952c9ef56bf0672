import { delayRange } from '#domain/campaigns/pacing.ts'
import { formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { Card } from '#web/ui/layout/page.tsx'
import type { Campaign } from '../contract.ts'
import css from './campaigns.module.css'
import { DAYS } from './labels.ts'

/** How carefully a campaign is sent: rhythm, hours, variety, and who asked to be left alone. */
export function CareCard({ row }: { row: Campaign }) {
  const { delay, windowStart, windowEnd, weekdays, message2, message3, template, optedOut, replied } = row
  const reached = row.sent + row.delivered + row.read
  const [least, most] = delayRange(delay)
  const texts = 1 + [message2, message3].filter(Boolean).length
  const pairs: readonly (readonly [string, string])[] = [
    [
      t('Intervalo'),
      delay === 0
        ? t('sem intervalo')
        : t('{least} a {most} s', { least: Math.round(least / 1000), most: Math.round(most / 1000) }),
    ],
    [t('Horário'), t('{from} às {to}', { from: windowStart, to: windowEnd })],
    [t('Dias'), weekdays.length === 7 ? t('todos') : weekdays.map((day) => DAYS[day]).join(' ')],
    [
      t('Mensagens'),
      template ? t('modelo {name}', { name: template.name }) : plural(texts, t('texto'), t('em rodízio')),
    ],
    [t('Responderam'), shareOf(replied, reached)],
    [t('Pediram para sair'), shareOf(optedOut, reached)],
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
    </Card>
  )
}

const shareOf = (count: number, of: number): string =>
  of > 0
    ? t('{count} ({share}%)', {
        count: formatNumber(count),
        share: ((100 * count) / of).toLocaleString('pt-BR', { maximumFractionDigits: 1 }),
      })
    : formatNumber(count)
