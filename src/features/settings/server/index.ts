import { ownMember } from '#domain/keys.ts'
import { memberOf } from '#domain/present.ts'
import { fail, required } from '#kit/errors.ts'
import {
  browserSettings,
  type SettingKey,
  type SettingSpec,
  settingEntries,
  settingProblem,
  settingsRegistry,
} from '#kit/settings.ts'
import { type Actor, may } from '#server/actors.ts'
import { colorsOfHost } from '#server/branding.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { Feature } from '#server/feature.ts'
import { implement, type Route } from '#server/http/route.ts'
import { colors } from '../colors.ts'
import { flagOperations, settings, tenantFlags } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings as own } from '../settings.ts'
import { saveSettings } from './save.ts'

export { storeSettings } from './queries.ts'
export { saveSettings } from './save.ts'

/** Returns the settings that the user may read: all with the permission to change them, else those that the interface needs. */
function readable({ settings: all, user }: ReadCtx & { user: Actor }): Record<string, string> {
  const { values } = all
  if (may(user, all, 'settings:write')) return { ...values }
  const known = browserSettings(all)
  return Object.fromEntries(settingEntries().flatMap(([key]) => (key in known ? [[key, values[key]]] : [])))
}

const routes = implement(settings, {
  list: (ctx) => Object.entries(readable(ctx)).map(([key, value]) => ({ key, value })),
  get: (ctx, { params: { key } }) => {
    const known = readable(ctx)
    return { key, value: required(ownMember(known, key), 'ERR_NO_SETTING_FOUND') }
  },
  set: async (ctx, { params: { key }, body }) => {
    const spec = specOf(key)
    if (spec.can && !may(ctx.user, ctx.settings, spec.can)) fail('ERR_NO_PERMISSION')
    if (body.key !== undefined && body.key !== key) fail('ERR_VALIDATION', { key: 'A chave não é a do endereço.' })
    const problem = settingProblem(spec, body.value)
    if (problem) fail('ERR_VALIDATION', { value: problem })
    await saveSettings(ctx, { [key as SettingKey]: body.value })
    return { key, value: body.value }
  },
})

const colorRoutes = implement(colors, {
  publicColors: ({ platform }, { request }) => colorsOfHost(platform, request.host),
  colors: ({ settings }) => JSON.parse(settings.values.systemColors),
  setColors: async (ctx, { body }) => {
    await saveSettings(ctx, { systemColors: JSON.stringify(body) })
    return body
  },
})

const specOf = (key: string): SettingSpec => required(ownMember(settingsRegistry, key), 'ERR_NO_SETTING_FOUND')

/** Returns the legacy routes of flags; the id in them must be the company's own. */
function flagRoutes(): Route[] {
  const operations = flagOperations()
  return tenantFlags().map(({ key, field }) => {
    const handler = async (ctx: Ctx, { params, body }: { params: { id: number }; body: Record<string, unknown> }) => {
      if (params.id !== ctx.tenantId || (body['id'] ?? params.id) !== params.id) fail('ERR_NOT_FOUND')
      const value = String(body[field])
      await saveSettings(ctx, { [key]: value })
      return { id: params.id, [field]: value }
    }
    return { op: memberOf(operations, key), handler: handler }
  })
}

let flags: Route[] | undefined

/** Server part of the feature `settings`: settings of the company: key-value rows, colours and legacy flags. */
export const settingsFeature: Feature = {
  name: 'settings',
  titles: { settings: 'Configurações', tenantFlags: 'Chaves da empresa', tenants: 'Cores da empresa' },
  settings: own,
  permissions,
  errors,
  // The settings of every feature are known when the list of features is.
  get routes() {
    flags ??= flagRoutes()
    return [...routes, ...colorRoutes, ...flags]
  },
}
