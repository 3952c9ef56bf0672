import type { z } from 'zod'
import { saveSettings } from '#features/settings/server/index.ts'
import { fail } from '#kit/errors.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { type ratingList, ratings } from '../contract.ts'

type Rates = z.output<typeof ratingList>

const LABELS = ['Ruim', 'Regular', 'Bom', 'Muito Bom', 'Excelente', 'Incrível'] as const

function ratesOf(settings: TenantSettings): Rates {
  const stored = JSON.parse(settings.values.rating) as Rates
  return stored.length > 0 ? stored : LABELS.map((label, rating) => ({ rating, label, message: '' }))
}

const textsOf = (settings: TenantSettings) => ({
  ratingStoreUse: isOn(settings, 'ratingStoreUse') ? ('enabled' as const) : ('disabled' as const),
  ratingStore: settings.values.ratingStore,
  ratingStoreError: settings.values.ratingStoreError,
  ratingStoreAttemp: settings.values.ratingStoreAttemp,
  ratingStoreTime: Number(settings.values.ratingStoreTime),
})

const routes = implement(ratings, {
  get: ({ settings }) => ({ rating: ratesOf(settings), ...textsOf(settings) }),
  set: async (ctx, { body }) => {
    const rating = body.toSorted((a, b) => a.rating - b.rating)
    await saveSettings(ctx, { rating: JSON.stringify(rating) })
    return { rating }
  },
  setTexts: async (ctx, { params, body: { id = params.id, ...given } }) => {
    if (params.id !== ctx.tenantId || id !== ctx.tenantId) fail('ERR_NOT_FOUND')
    const changed = Object.entries(given).filter(([, value]) => value !== undefined)
    await saveSettings(ctx, Object.fromEntries(changed.map(([key, value]) => [key, String(value)])))
    return { id, ...textsOf(ctx.settings), ...Object.fromEntries(changed) }
  },
})

/** What a customer will be asked at the end of an attendance: its configuration. */
export const ratingsFeature: Feature = { name: 'ratings', routes }
