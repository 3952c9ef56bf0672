import { Button, SegmentedControl } from '@mantine/core'
import { type BusinessDay, USUAL_WEEK, WEEKDAYS } from '#domain/calendar/business-hours.ts'
import { t } from '#web/t.ts'
import { CommandMenu } from '#web/ui/command-menu.tsx'
import { MaskedInput } from '#web/ui/fields.tsx'
import { CopyIcon } from '#web/ui/icons.ts'
import css from './week-hours.module.css'

type Field = 'hr1' | 'hr2' | 'hr3' | 'hr4'

/** What the three kinds of day are called, and what the first two mean, for a company and for a person. */
const words = {
  tenant: {
    O: ['Aberto', 'O dia inteiro, sem mensagem de ausência'],
    C: ['Fechado', 'O dia inteiro, com mensagem de ausência'],
    H: ['Horário', ''],
  },
  person: {
    O: ['Liberado', 'O dia inteiro'],
    C: ['Bloqueado', 'Sem acesso neste dia'],
    H: ['Horário', ''],
  },
} as const

const periods = [
  ['Primeiro período', 'hr1', 'hr2'],
  ['Segundo período', 'hr3', 'hr4'],
] as const satisfies readonly (readonly [string, Field, Field])[]

/**
 * A week of opening hours: seven days, each open, closed or with two periods. `errors` are sentences by the day's number
 * (0 is Sunday), as `weekProblems` and the server give them; the width of its place decides its form.
 */
export function WeekHours(props: {
  value: readonly BusinessDay[]
  onChange: (week: BusinessDay[]) => void
  errors?: Readonly<Record<string, string>>
  labels?: keyof typeof words
}) {
  const { value, onChange, errors = {}, labels = 'tenant' } = props
  const week = USUAL_WEEK.map((usual) => value.find(({ day }) => day === usual.day) ?? usual)
  const change = (day: number, part: Partial<BusinessDay>) =>
    onChange(week.map((row) => (row.day === day ? { ...row, ...part } : row)))
  const copy = ({ type, hr1, hr2, hr3, hr4 }: BusinessDay, days: (day: number) => boolean) =>
    onChange(week.map((row) => (days(row.day) ? { ...row, type, hr1, hr2, hr3, hr4 } : row)))
  return (
    <div className={css.box}>
      {week.map((row) => (
        <fieldset key={row.day} className={css.day}>
          <legend className="g-hidden">{WEEKDAYS[row.day]}</legend>
          <b aria-hidden="true">{WEEKDAYS[row.day]}</b>
          <SegmentedControl
            className={css.type}
            aria-label={t('{day}: como é o dia', { day: WEEKDAYS[row.day] as string })}
            data={(['O', 'C', 'H'] as const).map((type) => ({ value: type, label: t(words[labels][type][0]) }))}
            value={row.type}
            onChange={(type) => change(row.day, { type: type as BusinessDay['type'] })}
          />
          <div className={css.hours}>
            {row.type === 'H' ? (
              <Periods row={row} invalid={row.day in errors} change={(part) => change(row.day, part)} />
            ) : (
              <span className={css.whole}>{t(words[labels][row.type][1])}</span>
            )}
          </div>
          <CommandMenu
            place="bottom-end"
            target={
              <Button variant="subtle" size="sm" leftSection={<CopyIcon size={16} />}>
                {t('Copiar')}
                <span className="g-hidden">{t('{day} para outros dias', { day: WEEKDAYS[row.day] as string })}</span>
              </Button>
            }
            commands={[
              { id: 'all', label: t('Para os outros dias'), run: () => copy(row, () => true) },
              { id: 'work', label: t('De segunda a sexta'), run: () => copy(row, (day) => day > 0 && day < 6) },
            ]}
          />
          {errors[row.day] && (
            <p className={css.error} role="alert">
              {errors[row.day]}
            </p>
          )}
        </fieldset>
      ))}
    </div>
  )
}

function Periods(props: { row: BusinessDay; invalid: boolean; change: (part: Partial<BusinessDay>) => void }) {
  const { row, invalid, change } = props
  const field = (name: Field, label: string) => (
    <MaskedInput
      mask="time"
      className={css.time as string}
      aria-label={`${WEEKDAYS[row.day]}, ${label}`}
      placeholder="00:00"
      value={row[name]}
      error={invalid}
      onChange={(text) => change({ [name]: text })}
    />
  )
  return periods.map(([name, start, end]) => (
    <span key={start} className={css.period}>
      {field(start, `${name.toLowerCase()}, início`)}
      <span>{t('às')}</span>
      {field(end, `${name.toLowerCase()}, fim`)}
    </span>
  ))
}
