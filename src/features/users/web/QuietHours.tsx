import '#web/zod/now.ts'
import { useState } from 'react'
import { type Preferences, preferences as schema } from '#kit/preferences.ts'
import { MaskedInput, SwitchGroup, SwitchRow } from '#web/ui/fields.tsx'
import css from './profile.module.css'

type Hours = Pick<Preferences, 'quietFrom' | 'quietTo'>

/** What is wrong with the two times, if anything. */
function problemOf(hours: Hours): string | undefined {
  const checked = schema.pick({ quietFrom: true, quietTo: true }).safeParse(hours)
  if (!checked.success) return checked.error.issues[0]?.message
  return hours.quietFrom === hours.quietTo ? 'Escolha dois horários diferentes.' : undefined
}

/** The hours of the day without sounds and notices; times are kept when one leaves the field. */
export function QuietHours(props: { preferences: Preferences; keep: (change: Partial<Preferences>) => void }) {
  const { quiet, quietFrom, quietTo } = props.preferences
  const [draft, setDraft] = useState<Hours>()
  const hours = draft ?? { quietFrom, quietTo }
  const problem = draft && problemOf(draft)
  const isWrong = (key: keyof Hours) =>
    problem !== undefined && (hours.quietFrom === hours.quietTo || !schema.shape[key].safeParse(hours[key]).success)
  const leave = () => {
    if (!draft || problem) return
    setDraft(undefined)
    if (draft.quietFrom !== quietFrom || draft.quietTo !== quietTo) props.keep(draft)
  }
  const field = (key: keyof Hours, label: string) => (
    <MaskedInput
      mask="time"
      className={css.clock as string}
      aria-label={label}
      placeholder="00:00"
      value={hours[key]}
      error={isWrong(key)}
      onChange={(text) => setDraft({ ...hours, [key]: text })}
      onBlur={leave}
    />
  )
  return (
    <SwitchGroup>
      <SwitchRow
        name="Horas de silêncio"
        effect="Sem sons nem avisos, pelo relógio deste dispositivo."
        checked={quiet}
        onChange={(next) => props.keep({ quiet: next })}
      />
      {quiet && (
        <div className={css.clocks}>
          <span>Das</span>
          {field('quietFrom', 'Silêncio a partir das')}
          <span>às</span>
          {field('quietTo', 'Silêncio até as')}
          {problem && (
            <span className={css.problem} role="alert">
              {problem}
            </span>
          )}
        </div>
      )}
    </SwitchGroup>
  )
}
