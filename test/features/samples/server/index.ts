import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { mountResource } from '#server/resource.ts'
import { tableOf } from '#server/table.ts'
import { sampleUse } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { plan } from '../plan.ts'
import { samples } from '../samples.ts'
import { settings } from '../settings.ts'

const rows = tableOf<{ id: number; amount: number | null }>(samples.spec)

const use = implement(sampleUse, {
  take: async (ctx, { params: { id } }) => {
    const { amount } = required(await rows.lock(ctx.db, id), 'ERR_NO_SAMPLE_FOUND')
    if (!amount && !isOn(ctx.settings, 'samplesOnCredit')) fail('ERR_SAMPLE_USED_UP')
    await rows.update(ctx.db, id, { amount: Math.max(0, (amount ?? 0) - 1) }, ctx.now)
    return { message: 'ok' }
  },
})

/** Samples. */
export const samplesFeature: Feature = {
  name: 'samples',
  titles: { samples: 'Amostras', sampleUse: 'Amostras: uso' },
  errors,
  permissions,
  plan,
  settings,
  routes: [...mountResource(samples), ...use],
  constraints: { samples_name: 'ERR_SAMPLE_EXISTS' },
}
