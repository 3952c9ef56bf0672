import type { Preferences } from '#kit/preferences.ts'
import { readPreferences, savePreferences } from '#web/preferences.ts'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'

/** Saves one of the user's preferences at once; `label` names it in messages. */
export const savePreference = <K extends keyof Preferences>(key: K, label: string, next: Preferences[K]): void =>
  void saveChoice<Preferences[K]>({
    label,
    before: readPreferences()[key],
    next,
    labelOf: (value) => (typeof value === 'boolean' ? onOff(value) : String(value)),
    save: (value) => savePreferences({ [key]: value }),
  })
