import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { Pair } from '#web/ui/inputs/fields.tsx'
import { settings } from '../settings.ts'

const minute = 60_000
const hour = 60 * minute

/** Offered times (product facts 12.1), in ms. */
const times: readonly (readonly [number, string])[] = [
  ...[1, 5, 10, 15, 30].map((n) => [n * minute, n === 1 ? t('1 minuto') : t('{n} minutos', { n })] as const),
  ...[1, 2, 6, 12, 24, 48].map((n) => [n * hour, n === 1 ? t('1 hora') : t('{n} horas', { n })] as const),
  [7 * 24 * hour, t('7 dias')],
]
const other = 'other'

/** Choice of the answer time in ms: an offered one, or custom minutes. */
export function TimeChoice(props: { value: number; error: string | undefined; onChange: (ms: number) => void }) {
  const { value, error, onChange } = props
  const isUsual = times.some(([ms]) => ms === value)
  const [isOther, setOther] = useState(!isUsual)
  return (
    <Pair>
      <Select
        label={t(settings.ratingStoreTime.label)}
        description={t(settings.ratingStoreTime.effect)}
        data={[
          ...times.map(([ms, label]) => ({ value: String(ms), label })),
          { value: other, label: t('Outro tempo') },
        ]}
        value={isOther || !isUsual ? other : String(value)}
        allowDeselect={false}
        onChange={(next) => {
          setOther(next === other)
          if (next && next !== other) onChange(Number(next))
        }}
      />
      {(isOther || !isUsual) && (
        <TextInput
          label={t('Minutos')}
          inputMode="numeric"
          value={Number.isNaN(value) ? '' : String(value / minute)}
          error={error}
          onChange={(event) => onChange(Number(event.currentTarget.value.replace(/\D/g, '')) * minute)}
        />
      )}
    </Pair>
  )
}
