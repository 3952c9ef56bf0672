import type { SettingKey, SettingSpec } from '#kit/settings.ts'
import { t } from '#web/t.ts'
import { onOff } from '#web/ui/feedback/save-choice.ts'

/** Formats a setting's value: “ligado”, “30 dias”, “1 hora”; the first words of a text. */
export function valueLabel(spec: SettingSpec, value: string): string {
  switch (spec.kind) {
    case 'switch':
      return onOff(value === 'enabled')
    case 'number':
      return `${value} ${spec.unit}`
    case 'choice':
      return spec.options.find((option) => option.value === value)?.label ?? value
    default:
      return value === '' ? t('vazio') : value.length > 40 ? `${value.slice(0, 39)}…` : value
  }
}

/** Whether the general settings show it. */
export const isShown = ([, { group }]: readonly [SettingKey, SettingSpec]): boolean => group !== null
