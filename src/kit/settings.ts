import type { Plan } from '#domain/access/plan.ts'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import { entriesIn } from '#domain/keys.ts'
import type { Permission } from './permissions.ts'
import { type NamesOf, registry } from './registry.ts'

/** Groups of the settings screen, in display order. */
export const settingGroups = [
  'Quem vê o quê',
  'Atendimento',
  'Distribuição',
  'Chegada de mensagens',
  'Encerramento automático',
  'Fora do horário',
  'Campanhas e disparos',
  'Segurança',
] as const

/**
 * Setting of a tenant (decision B11); screen, validation, endpoints and cache are derived from it.
 * - `default`: the value as text; switches are 'enabled' or 'disabled'.
 * - `effect`: what it does, in one sentence. A key without an effect fails a test.
 * - `group`: where the settings screen shows it; null if it has a screen of its own.
 * - `can`: permission to change it, if not the general one.
 * - `conflicts`: switches that exclude each other.
 * - `browser`: whether every browser of the tenant may read it.
 * - `under`: the switch without which it has no effect.
 * - `alias`: the old address of a tenant flag, `PUT /{alias}/{id}` with the value under `field` (or the key).
 */
export type SettingSpec = {
  readonly default: string
  readonly label: string
  readonly effect: string
  readonly group: (typeof settingGroups)[number] | null
  readonly can?: Permission
  readonly conflicts?: readonly string[]
  readonly browser?: true
  readonly under?: string
  readonly alias?: string
  readonly field?: string
} & (
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly unit: string }
  | {
      readonly kind: 'text'
      readonly max: number
      readonly lines?: true
      /** Returns a further problem with a text, in Portuguese; null when it is valid. */
      readonly problem?: (text: string) => string | null
    }
  | { readonly kind: 'choice'; readonly options: readonly { readonly value: string; readonly label: string }[] }
  /** Written through an endpoint of its own, which knows its shape. */
  | { readonly kind: 'json' }
)

/** Settings of one feature, by key. */
export type SettingPart = Readonly<Record<string, SettingSpec>>

/** Registry of settings: each feature adds its own (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: the platform has none, features merge theirs into it.
export interface Settings {}

/** Key of a setting. */
export type SettingKey = NamesOf<Settings>

const { table, add } = registry<SettingKey, SettingSpec>('setting', {})

/** Registry of settings by key. */
export const settingsRegistry = table

/** Adds the settings of a feature. */
export const addSettings = add

/** Settings of a tenant with defaults filled in, and further facts that rules need. */
export type TenantSettings = {
  readonly values: Readonly<Record<SettingKey, string>>
  readonly tenantHasQueues: boolean
  /** Queues with hours or an absence message of their own, by id. */
  readonly queueHours: Readonly<Record<number, { readonly week: readonly BusinessDay[]; readonly message: string }>>
  /** Closing keywords of customers, normalized, by connection. */
  readonly closeKeywords: Readonly<Record<number, readonly string[]>>
  /** Connections without hours: they count as always open. */
  readonly withoutHours: ReadonlySet<number>
  readonly ownerId: number | null
  readonly timezone: string
  readonly tenantName: string
  readonly tenantStatus: 'active' | 'inactive'
  /** Whether a payment of the company to the installation is overdue. */
  readonly isOverdue: boolean
  /** Plan features of the company; null: everything. */
  readonly plan: Plan
}

/** Whether a switch is on. */
export const isOn = (settings: TenantSettings, key: SettingKey): boolean => settings.values[key] === 'enabled'

/** Returns every setting with its key, in the registry's order. */
export const settingEntries = (): [SettingKey, SettingSpec][] => entriesIn(settingsRegistry)

/** Returns the settings that every browser of the tenant may read, the tenant's time zone, and `overdue` while it is. */
export const browserSettings = ({ values, timezone, isOverdue }: TenantSettings): Record<string, string> => ({
  ...Object.fromEntries(settingEntries().flatMap(([key, { browser }]) => (browser ? [[key, values[key]]] : []))),
  timezone,
  ...(isOverdue ? { overdue: 'enabled' } : {}),
})

/** Returns the problem with a value, in Portuguese; null when it is valid. */
export function settingProblem(spec: SettingSpec, value: string): string | null {
  switch (spec.kind) {
    case 'switch':
      return value === 'enabled' || value === 'disabled' ? null : 'Use enabled ou disabled.'
    case 'number': {
      const fits = /^\d{1,9}$/.test(value) && Number(value) >= spec.min && Number(value) <= spec.max
      return fits ? null : `Use um número inteiro de ${spec.min} a ${spec.max}.`
    }
    case 'text':
      return value.length <= spec.max ? (spec.problem?.(value) ?? null) : `Use no máximo ${spec.max} caracteres.`
    case 'choice':
      return spec.options.some((option) => option.value === value)
        ? null
        : `Escolha entre: ${spec.options.map((option) => option.label).join(', ')}.`
    case 'json':
      return 'Esta configuração tem um endereço próprio.'
  }
}
