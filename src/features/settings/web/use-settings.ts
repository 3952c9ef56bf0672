import { useMutation, useQuery } from '@tanstack/react-query'
import { type SettingKey, type SettingSpec, settingsRegistry } from '#kit/settings.ts'
import { isApiError, sentence } from '#web/api.ts'
import { mutation, query, queryClient } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/notify.tsx'
import { settings } from '../contract.ts'
import { valueWords } from './words.ts'

type Rows = readonly { key: string; value: string }[]

/** The values as they are now, and `save`, which shows a value at once and takes it back when it is refused. */
export function useSettings() {
  const read = useQuery(query(settings.list))
  const { queryKey } = query(settings.list)
  const show = (key: SettingKey, value: string) =>
    queryClient.setQueryData<Rows>(queryKey, (rows) => rows?.map((row) => (row.key === key ? { key, value } : row)))
  // From the cache: an “undo” may be clicked long after this was drawn.
  const current = (key: SettingKey): string =>
    queryClient.getQueryData<Rows>(queryKey)?.find((row) => row.key === key)?.value ?? settingsRegistry[key].default

  const change = useMutation(mutation(settings.set, { onError: () => {} }))
  const save = async (key: SettingKey, value: string, isUndo = false): Promise<void> => {
    const before = current(key)
    if (before === value) return
    void queryClient.cancelQueries({ queryKey }, { revert: false })
    show(key, value)
    try {
      await change.mutateAsync({ params: { key }, body: { key, value } })
      notify({
        id: `setting ${key}`,
        tone: 'pos',
        title: settingsRegistry[key].label,
        text: isUndo
          ? t('Desfeito: {value}', { value: valueWords(settingsRegistry[key], value) })
          : t('Salvo: {value}', { value: valueWords(settingsRegistry[key], value) }),
        ...(isUndo ? {} : { action: { label: t('Desfazer'), run: () => void save(key, before, true) } }),
      })
    } catch (error) {
      show(key, before)
      tellRefusal(settingsRegistry[key], error)
    }
  }
  return { read, current, save }
}

function tellRefusal({ label }: SettingSpec, error: unknown): void {
  const { code, details } = isApiError(error) ? error : { code: '', details: {} as Record<string, unknown> }
  const isConflict = code === 'ERR_SETTING_CONFLICT'
  notify({
    id: `refused ${label}`,
    tone: 'warn',
    title: isConflict ? t('“{label}” não foi ligado', { label }) : t('“{label}” não foi salvo', { label }),
    text: isConflict
      ? t('Não combina com “{other}”. Desligue essa opção antes.', { other: String(details['label']) })
      : String(details['value'] ?? sentence(error)),
  })
}
