import { Button, TextInput } from '@mantine/core'
import { t } from '#web/t.ts'
import { FilterPopover } from '#web/ui/inputs/FilterPopover.tsx'
import css from './contacts.module.css'

const dayText = (day: string): string => day.split('-').reverse().join('/')

/** Filter chip for days in the format of `domain/calendar/day-range`: from a day, until a day, or a predefined period. */
export function DaysFilter(props: {
  label: string
  value: string | undefined
  /** Predefined periods with their names; relative days move with the current day. */
  spans: readonly (readonly [name: string, range: string])[]
  onChange: (range: string | undefined) => void
}) {
  const { label, value = '', spans, onChange } = props
  const [from = '', to = ''] = value.split('..')
  const span = spans.find(([, range]) => range === value)
  const shown = span?.[0] ?? [from && t('de {day}', { day: dayText(from) }), to && t('até {day}', { day: dayText(to) })]
  const set = (range: string) => onChange(range === '..' ? undefined : range)
  return (
    <FilterPopover
      label={value ? `${label}: ${[shown].flat().filter(Boolean).join(' ')}` : label}
      active={value !== ''}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <div className={css.days}>
          {spans.map(([name, range]) => (
            <Button
              key={range}
              size="xs"
              variant={range === value ? 'light' : 'default'}
              onClick={() => {
                onChange(range)
                close()
              }}
            >
              {name}
            </Button>
          ))}
          <TextInput
            type="date"
            size="sm"
            label={t('De')}
            value={span ? '' : from}
            onChange={(event) => set(`${event.currentTarget.value}..${span ? '' : to}`)}
          />
          <TextInput
            type="date"
            size="sm"
            label={t('Até')}
            value={span ? '' : to}
            onChange={(event) => set(`${span ? '' : from}..${event.currentTarget.value}`)}
          />
        </div>
      )}
    </FilterPopover>
  )
}
