import { Select } from '@mantine/core'
import { useState } from 'react'
import { type BusinessDay, USUAL_WEEK, WEEKDAYS } from '#domain/calendar/business-hours.ts'
import { itemAt } from '#domain/present.ts'
import { t } from '../t.ts'
import { MaskedInput } from '../ui/inputs/fields.tsx'
import { CopyDay } from './CopyDay.tsx'
import css from './week-hours.module.css'

type Field = 'hr1' | 'hr2' | 'hr3' | 'hr4'
type Kind = 'O' | 'C' | 'H1' | 'H2'

/** Labels of the kinds of day, for a company and for a person. */
const kindLabels: Record<'tenant' | 'person', Record<Kind, string>> = {
  tenant: { C: t('Fechado'), H1: t('Um período'), H2: t('Dois períodos'), O: t('O dia inteiro') },
  person: { C: t('Bloqueado'), H1: t('Um período'), H2: t('Dois períodos'), O: t('O dia inteiro') },
}

const periods = [
  [t('primeiro período'), 'hr1', 'hr2'],
  [t('segundo período'), 'hr3', 'hr4'],
] as const satisfies readonly (readonly [string, Field, Field])[]

/**
 * Editor of a week's opening hours in seven lines: each day open, closed, or with one or two periods, and copied to others.
 * `errors` are sentences by the day's number (0 is Sunday), from `weekProblems` or the server; the container's width decides
 * its layout.
 */
export function WeekHours(props: {
  value: readonly BusinessDay[]
  onChange: (week: BusinessDay[]) => void
  errors?: Readonly<Record<string, string>>
  labels?: keyof typeof kindLabels
}) {
  const { value, onChange, errors = {}, labels = 'tenant' } = props
  const week = USUAL_WEEK.map((usual) => value.find(({ day }) => day === usual.day) ?? usual)
  // Days whose second period is being entered, although it is still empty.
  const [writing, setWriting] = useState<readonly number[]>([])
  const change = (day: number, part: Partial<BusinessDay>) =>
    onChange(week.map((row) => (row.day === day ? { ...row, ...part } : row)))
  const kindOf = ({ day, type, hr3, hr4 }: BusinessDay): Kind => {
    if (type !== 'H') return type
    return hr3 || hr4 || writing.includes(day) ? 'H2' : 'H1'
  }
  const setKind = (row: BusinessDay, kind: Kind) => {
    setWriting((days) => [...days.filter((day) => day !== row.day), ...(kind === 'H2' ? [row.day] : [])])
    const usual = itemAt(USUAL_WEEK, 1)
    const first = { hr1: row.hr1 || usual.hr1, hr2: row.hr2 || usual.hr2 }
    if (kind === 'H1') change(row.day, { type: 'H', ...first, hr3: '', hr4: '' })
    else if (kind === 'H2')
      change(row.day, { type: 'H', ...first, hr3: row.hr3 || usual.hr3, hr4: row.hr4 || usual.hr4 })
    else change(row.day, { type: kind })
  }
  const copy = ({ type, hr1, hr2, hr3, hr4 }: BusinessDay, days: readonly number[]) =>
    onChange(week.map((row) => (days.includes(row.day) ? { ...row, type, hr1, hr2, hr3, hr4 } : row)))
  return (
    <div className={css.box}>
      {week.map((row) => (
        <Day
          key={row.day}
          row={row}
          kind={kindOf(row)}
          kinds={kindLabels[labels]}
          error={errors[row.day]}
          setKind={(kind) => setKind(row, kind)}
          change={(part) => change(row.day, part)}
          copy={(days) => copy(row, days)}
        />
      ))}
    </div>
  )
}

/** Line of one day: its kind, its periods, and copying it. */
function Day(props: {
  row: BusinessDay
  kind: Kind
  kinds: Record<Kind, string>
  error: string | undefined
  setKind: (kind: Kind) => void
  change: (part: Partial<BusinessDay>) => void
  copy: (days: readonly number[]) => void
}) {
  const { row, kind, kinds, error, setKind, change, copy } = props
  const name = itemAt(WEEKDAYS, row.day)
  return (
    <fieldset className={css.day} data-kind={kind}>
      <legend className="g-hidden">{name}</legend>
      <b aria-hidden="true">{name.slice(0, 3)}</b>
      <Select
        className={css.kind}
        aria-label={t('{day}: como é o dia', { day: name })}
        allowDeselect={false}
        comboboxProps={{ width: 150, position: 'bottom-start' }}
        data={(['C', 'H1', 'H2', 'O'] as const).map((one) => ({ value: one, label: t(kinds[one]) }))}
        value={kind}
        onChange={(next) => next && setKind(next)}
      />
      {(kind === 'H1' || kind === 'H2') && (
        <div className={css.hours}>
          <Periods row={row} count={kind === 'H1' ? 1 : 2} invalid={error !== undefined} change={change} />
        </div>
      )}
      <CopyDay day={row.day} onCopy={copy} />
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Periods(props: {
  row: BusinessDay
  count: 1 | 2
  invalid: boolean
  change: (part: Partial<BusinessDay>) => void
}) {
  const { row, count, invalid, change } = props
  const field = (name: Field, label: string) => (
    <MaskedInput
      mask="time"
      className={css.time}
      aria-label={`${WEEKDAYS[row.day]}, ${label}`}
      placeholder="00:00"
      value={row[name]}
      error={invalid}
      onChange={(text) => change({ [name]: text })}
    />
  )
  return periods.slice(0, count).map(([name, start, end]) => (
    <span key={start} className={css.period}>
      {field(start, t('{name}, início', { name }))}
      <span aria-hidden="true">–</span>
      {field(end, t('{name}, fim', { name }))}
    </span>
  ))
}
