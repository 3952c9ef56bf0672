import { Button, TextInput } from '@mantine/core'
import { t } from '../../t.ts'
import { FilterPopover } from './FilterPopover.tsx'
import css from './period-filter.module.css'

const dayText = (iso: string | undefined): string => iso?.split('-').reverse().join('/') ?? '…'

/** Filter chip with a first and a last day (`AAAA-MM-DD`); either may be empty. */
export function PeriodFilter(props: {
  from: string | undefined
  to: string | undefined
  onChange: (period: { de: string | undefined; ate: string | undefined }) => void
}) {
  const { from, to, onChange } = props
  const active = Boolean(from || to)
  const lastDays = (days: number) => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toLocaleDateString('sv')
    onChange({ de: day(days - 1), ate: day(0) })
  }
  return (
    <FilterPopover
      label={active ? t('Período: {from} a {to}', { from: dayText(from), to: dayText(to) }) : t('Período')}
      active={active}
      onClear={() => onChange({ de: undefined, ate: undefined })}
    >
      {(close) => (
        <div className={css.period}>
          <TextInput
            type="date"
            label={t('De')}
            size="sm"
            value={from ?? ''}
            max={to}
            onChange={(event) => onChange({ de: event.currentTarget.value || undefined, ate: to })}
          />
          <TextInput
            type="date"
            label={t('Até')}
            size="sm"
            value={to ?? ''}
            min={from}
            onChange={(event) => onChange({ de: from, ate: event.currentTarget.value || undefined })}
          />
          <Spans
            onPick={(days) => {
              lastDays(days)
              close()
            }}
          />
        </div>
      )}
    </FilterPopover>
  )
}

const SPANS = [
  [t('Hoje'), 1],
  [t('7 dias'), 7],
  [t('30 dias'), 30],
] as const

/** Buttons for periods that end today. */
function Spans({ onPick }: { onPick: (days: number) => void }) {
  return (
    <div className={css.spans}>
      {SPANS.map(([name, days]) => (
        <Button key={name} size="xs" variant="default" onClick={() => onPick(days)}>
          {name}
        </Button>
      ))}
    </div>
  )
}
