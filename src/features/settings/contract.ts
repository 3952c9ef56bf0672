import { z } from 'zod'
import { type AddressSpec, addresses } from '#kit/addresses.ts'
import { contract, type Schemas } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { id, onOff } from '#kit/fields.ts'
import { type SettingKey, type SettingSpec, settingEntries, settingProblem } from '#kit/settings.ts'
import * as at from './addresses.ts'

/** Setting on the wire (specification §3). */
const settingRow = z.object({ key: z.string(), value: z.string() })

/** API contract of the company's settings as rows of key and value. */
export const settings = contract(at.settings, {
  list: {
    summary: 'Configurações da empresa; quem não as altera recebe as que a interface usa',
    returns: z.array(settingRow),
  },
  get: {
    summary: 'Uma configuração',
    params: z.object({ key: z.string().max(100) }),
    returns: settingRow,
    errors: ['ERR_NO_SETTING_FOUND'],
  },
  set: {
    summary: 'Alterar uma configuração',
    params: z.object({ key: z.string().max(100) }),
    body: z.strictObject({ key: z.string().max(100).optional(), value: z.string().max(20_000) }),
    returns: settingRow,
    errors: ['ERR_NO_SETTING_FOUND', 'ERR_NO_PERMISSION', 'ERR_SETTING_CONFLICT'],
    audit: true,
  },
})

/** Events of changed settings. */
export const settingsEvents = events(at.settingsEvents, {
  changed: z.object({ keys: z.array(z.string()) }),
})

/** Tenant flag with its legacy route (product facts 14.2). */
export type TenantFlag = {
  readonly key: SettingKey
  readonly alias: string
  readonly field: string
  readonly spec: SettingSpec
}

/** Returns all flags with a legacy route; requires that the features have registered their settings. */
export const tenantFlags = (): readonly TenantFlag[] =>
  settingEntries().flatMap(([key, spec]) =>
    spec.alias ? [{ key, alias: spec.alias, field: spec.field ?? key, spec }] : [],
  )

// Numbers may come as numbers or as their text.
function settingValue(spec: SettingSpec): z.ZodType<string | number> {
  if (spec.kind === 'switch') return onOff
  const value = z.string().refine((text) => settingProblem(spec, text) === null)
  if (spec.kind !== 'number') return value
  const error = settingProblem(spec, '') ?? ''
  return z.union([z.number().int().min(spec.min).max(spec.max), value], { error })
}

/** Returns an operation `PUT /{alias}/{id}` for each flag; the id is the company's own. */
export function flagOperations() {
  const flags = tenantFlags()
  const called = flags.map(({ key, alias, spec }): [string, AddressSpec] => [
    key,
    { method: 'PUT', path: `/${alias}/:id`, can: spec.can ?? 'settings:write', touches: ['settings'] },
  ])
  const served = flags.map(({ key, field, spec }): [string, Schemas] => [
    key,
    {
      summary: spec.label,
      body: z.strictObject({ id: id.optional(), [field]: settingValue(spec) }),
      returns: z.object({ id: z.number().int(), [field]: z.string() }),
      errors: ['ERR_NOT_FOUND', 'ERR_SETTING_CONFLICT'],
      audit: true,
    },
  ])
  return contract(addresses('tenantFlags', Object.fromEntries(called)), Object.fromEntries(served))
}

declare module '#kit/contract.ts' {
  interface Contracts {
    settings: typeof settings
  }
  interface Events {
    settingsEvents: typeof settingsEvents
  }
}
