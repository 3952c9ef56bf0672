import { WEEKDAYS } from '#domain/calendar/business-hours.ts'
import { t } from '#web/t.ts'
import { FilterChip } from '#web/ui/layout/page.tsx'
import css from './campaigns.module.css'

/** Choice of weekdays for sending. */
export function WeekdayChoice(props: {
  chosen: readonly number[]
  error: string | undefined
  onChange: (chosen: number[]) => void
}) {
  const { chosen, error, onChange } = props
  return (
    <fieldset className={css.days}>
      <legend>{t('Dias da semana')}</legend>
      <div>
        {WEEKDAYS.map((label, day) => (
          <FilterChip
            key={label}
            label={label.slice(0, 3)}
            active={chosen.includes(day)}
            onClick={() =>
              onChange(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day].toSorted())
            }
          />
        ))}
      </div>
      {error && <p className={css.problem}>{error}</p>}
    </fieldset>
  )
}
