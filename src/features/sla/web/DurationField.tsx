import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import css from './duration-field.module.css'

const units = [
  { value: '1', label: t('minutos') },
  { value: '60', label: t('horas') },
  { value: '1440', label: t('dias') },
] as const

/** Returns the largest unit in which a duration is a whole number. */
const unitOf = (minutes: number | null): number =>
  minutes === null ? 1 : ([1440, 60].find((unit) => minutes % unit === 0) ?? 1)

/** Field of a duration stored in minutes, entered in minutes, hours or days; empty is null. */
export function DurationField(props: {
  label: string
  hint: string
  value: number | null
  error: string | undefined
  onChange: (minutes: number | null) => void
}) {
  const { label, hint, value, error, onChange } = props
  const [chosen, setChosen] = useState<number>()
  const unit = chosen ?? unitOf(value)
  return (
    <div className={css.row}>
      <NumberInput
        label={label}
        description={hint}
        error={error}
        min={1}
        hideControls
        allowDecimal={unit > 1}
        decimalScale={2}
        thousandSeparator="."
        decimalSeparator=","
        value={value === null ? '' : value / unit}
        onChange={(next) => onChange(next === '' ? null : Math.round(Number(next) * unit))}
      />
      <Select
        aria-label={t('Unidade de {label}', { label })}
        data={units}
        allowDeselect={false}
        value={String(unit)}
        onChange={(next) => {
          setChosen(Number(next))
          if (value !== null) onChange(Math.round((value / unit) * Number(next)))
        }}
      />
    </div>
  )
}
