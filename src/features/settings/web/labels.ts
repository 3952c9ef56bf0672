import type { SettingKey, SettingSpec } from '#kit/settings.ts'
import { folded } from '#web/fold.ts'
import { t } from '#web/t.ts'
import { onOff } from '#web/ui/feedback/save-choice.ts'

/** A value as a person says it: “ligado”, “30 dias”, “1 hora”; of a text its first words. */
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

/** Whether every word of a search stands in what the screen says of a setting, or in its key. */
export function matches(key: SettingKey, spec: SettingSpec, search: string): boolean {
  const words = folded(`${spec.label} ${spec.effect} ${spec.group ?? ''} ${key}`)
  return folded(search)
    .split(/\s+/)
    .every((word) => words.includes(word))
}
