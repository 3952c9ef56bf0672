import { USUAL_WEEK, weekProblems } from '#domain/calendar/business-hours.ts'
import type { WeekField } from '#kit/fields/week.ts'
import { t } from '../t.ts'
import { SwitchGroup, SwitchRow } from '../ui/inputs/fields.tsx'
import type { WebKind } from './kind.tsx'
import { WeekHours } from './WeekHours.tsx'

/** Input and list cell of business hours: a switch for having any, and the week below it. */
export const week: WebKind<WeekField, NonNullable<WeekField['default']> | null> = {
  Input: ({ field, value, error, disabled = false, onChange }) => (
    <>
      <SwitchGroup>
        <SwitchRow
          name={field.label}
          checked={value !== null}
          disabled={disabled}
          onChange={(on) => onChange(on ? [...USUAL_WEEK] : null)}
          {...(field.hint ? { effect: field.hint } : {})}
        />
      </SwitchGroup>
      {value && (
        <WeekHours
          value={value}
          labels={field.whose ?? 'tenant'}
          errors={error ? Object.fromEntries(weekProblems(value).map(({ day, problem }) => [day, problem])) : {}}
          onChange={onChange}
        />
      )}
    </>
  ),
  Cell: ({ value }) => (value === null ? null : t('Próprio')),
}
