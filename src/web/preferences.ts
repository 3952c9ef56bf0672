import { usualQuiet } from '#domain/calendar/quiet.ts'
import type { Preferences } from '#kit/preferences.ts'
import { request } from './api.ts'
import { store, stored, viewer } from './session/session.ts'
import { createStore } from './store.ts'

const usual: Preferences = {
  enterSends: true,
  signs: true,
  signature: '',
  soundTicket: true,
  soundMessage: true,
  soundMention: true,
  volume: 100,
  ...usualQuiet,
  notices: false,
  undoSeconds: 0,
  opensNext: false,
  hidesFirstSteps: false,
  readWarnings: [],
}

type StoredUser = { configs?: { preferences?: Partial<Preferences> } | null }
/** Reads the user's preferences as last stored by any tab of this browser. */
export const readPreferences = (): Preferences => ({ ...usual, ...stored<StoredUser>('usuario')?.configs?.preferences })

/** Stores some of the user's own configurations with the account; others stay unchanged. */
export const saveConfigs = (
  configs: Partial<{ filtrosAtendimento: unknown; isDark: boolean; preferences: Partial<Preferences> }>,
): Promise<unknown> => request('PUT', `/users/${viewer().userId}/configs`, { body: configs, quiet: true })

const known = createStore<Preferences | undefined>(undefined)

/** Takes over the preferences loaded with the logged-in user. */
export function notePreferences(): void {
  const next = readPreferences()
  if (JSON.stringify(next) !== JSON.stringify(known.get())) known.set(next)
}

const current = (): Preferences => {
  if (!known.get()) notePreferences()
  return known.get() as Preferences
}

/** Returns the user's preferences; stored with the account, so every device has them. */
export const usePreferences = (): Preferences => known.use(current)

/** Changes some preferences: here at once, on the server a moment later; refused ones are reverted with a toast. */
export async function savePreferences(change: Partial<Preferences>): Promise<void> {
  const before = current()
  const apply = (part: Partial<Preferences>) => {
    const user = stored<StoredUser>('usuario') ?? {}
    store('usuario', { ...user, configs: { ...user.configs, preferences: { ...current(), ...part } } })
    notePreferences()
  }
  apply(change)
  try {
    await saveConfigs({ preferences: change })
  } catch (error) {
    // Reverts only these: others may have changed meanwhile.
    apply(Object.fromEntries(Object.keys(change).map((key) => [key, before[key as keyof Preferences]])))
    throw error
  }
}

/** Preference that enables each sound. */
export const wishes = { ticket: 'soundTicket', message: 'soundMessage', mention: 'soundMention' } as const
