import { useState } from 'react'
import { type Preferences, preferences as schema } from '#kit/preferences.ts'
import { notifyError } from '#web/api.ts'
import { savePreferences } from '#web/preferences.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { MaskedInput, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import css from './profile.module.css'
import { savePreference } from './save-preference.ts'

type Hours = Pick<Preferences, 'quietFrom' | 'quietTo'>
const quietHours = t('Horas de silêncio')

/** Returns the problem of the quiet hours' times, if any. */
function problemOf(hours: Hours): string | undefined {
  const checked = schema.pick({ quietFrom: true, quietTo: true }).safeParse(hours)
  if (!checked.success) return checked.error.issues[0]?.message
  return hours.quietFrom === hours.quietTo ? t('Escolha dois horários diferentes.') : undefined
}

/** Section with the user's quiet hours: on or off, start and end. */
export function QuietHours({ preferences }: { preferences: Preferences }) {
  const { quiet, quietFrom, quietTo } = preferences
  const draft = useDraft<Hours>({ quietFrom, quietTo })
  const [busy, setBusy] = useState(false)
  const hours = draft.value
  const problem = draft.isChanged ? problemOf(hours) : undefined
  const isWrong = (key: keyof Hours) =>
    problem !== undefined && (hours.quietFrom === hours.quietTo || !schema.shape[key].safeParse(hours[key]).success)
  const save = async () => {
    if (problem) return
    setBusy(true)
    try {
      await savePreferences(hours)
      draft.discard()
      notify({ tone: 'pos', title: t('Horário de silêncio salvo') })
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(false)
    }
  }
  const field = (key: keyof Hours, label: string) => (
    <MaskedInput
      mask="time"
      className={css.clock}
      aria-label={label}
      placeholder="00:00"
      value={hours[key]}
      error={isWrong(key)}
      onChange={(text) => draft.set({ ...hours, [key]: text })}
    />
  )
  return (
    <SwitchGroup>
      <SwitchRow
        name={quietHours}
        effect={t('Sem sons nem avisos, pelo relógio deste dispositivo.')}
        checked={quiet}
        onChange={(next) => savePreference('quiet', quietHours, next)}
      />
      {quiet && (
        <div className={css.clocks}>
          <span>{t('Das')}</span>
          {field('quietFrom', t('Silêncio a partir das'))}
          <span>{t('às')}</span>
          {field('quietTo', t('Silêncio até as'))}
          <SaveFooter
            isChanged={draft.isChanged}
            busy={busy}
            onSave={() => void save()}
            onDrop={draft.discard}
            problem={problem}
          />
        </div>
      )}
    </SwitchGroup>
  )
}
