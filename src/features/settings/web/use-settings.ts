import { useMutation, useQuery } from '@tanstack/react-query'
import { type SettingKey, type SettingSpec, settingsRegistry } from '#kit/settings.ts'
import '#web/registries.ts'
import { isApiError } from '#web/api.ts'
import { mutation, query, queryClient } from '#web/client.ts'
import { t } from '#web/t.ts'
import { saveChoice } from '#web/ui/feedback/save-choice.ts'
import { settings } from '../addresses.ts'
import { valueLabel } from './labels.ts'

type Rows = readonly { key: string; value: string }[]

/**
 * Hook with the present values and `save`, which shows a value optimistically, reverts it on refusal, and returns whether it
 * was saved.
 */
export function useSettings() {
  const read = useQuery(query(settings.list))
  const { queryKey } = query(settings.list)
  const current = (key: SettingKey): string =>
    queryClient.getQueryData<Rows>(queryKey)?.find((row) => row.key === key)?.value ?? settingsRegistry[key].default

  const change = useMutation(mutation(settings.set, { onError: () => {} }))
  const save = (key: SettingKey, value: string): Promise<boolean> => {
    const spec: SettingSpec = settingsRegistry[key]
    return saveChoice({
      label: spec.label,
      before: current(key),
      next: value,
      labelOf: (one) => valueLabel(spec, one),
      show: (one) => {
        void queryClient.cancelQueries({ queryKey }, { revert: false })
        queryClient.setQueryData<Rows>(queryKey, (rows) =>
          rows?.map((row) => (row.key === key ? { key, value: one } : row)),
        )
      },
      save: (one) => change.mutateAsync({ params: { key }, body: { key, value: one } }),
      refusal: (error) => refusal(spec, error),
    })
  }
  return { read, current, save }
}

function refusal({ label }: SettingSpec, error: unknown): { title?: string; text?: string } {
  if (!isApiError(error)) return {}
  const { code, details } = error
  if (code !== 'ERR_SETTING_CONFLICT') return 'value' in details ? { text: String(details['value']) } : {}
  return {
    title: t('“{label}” não foi ligado', { label }),
    text: t('Não combina com “{other}”. Desligue essa opção antes.', { other: String(details['label']) }),
  }
}
