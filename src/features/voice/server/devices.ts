import { required } from '#kit/errors.ts'
import { NO_VALUES, type ProviderValues, type StoredValues, shownValues } from '#kit/provider.ts'
import { voiceConfig } from '#providers/voice/configs.ts'
import type { DeviceState, VoiceTools } from '#providers/voice/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { textsOfEnv } from '#server/env.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { EVERYWHERE, outboundConnect } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'
import { type DeviceForm, type VoiceDevice, voiceDevices } from '../contract.ts'
import { deviceFields } from '../table.ts'
import { type DeviceRow, deviceRows, storeSecrets } from './queries.ts'

/** Name of the stale event of a company's devices (`voiceDevices 5`). */
export const DEVICES_CHANGED = 'voiceDevices'
/** Times (ms) for which the state of a device is awaited, and the code of a closed one. */
const STATE_MS = 4000
const CODE_MS = 500

const valuesOf = ({ secrets, ...config }: DeviceRow): StoredValues => ({ config, secrets })
const encryptionOf = (platform: Platform, tenantId: number, id: number) =>
  encryptionAt(platform, `${tenantId}/voice_devices/${id}`)

const shown = (row: DeviceRow): VoiceDevice => ({
  id: row.id,
  ...(shownValues(deviceFields, valuesOf(row)) as DeviceForm),
})

/** Returns a device's values for its adapter: the token decrypted. */
export const plainDevice = (platform: Platform, tenantId: number, row: DeviceRow): ProviderValues =>
  encryptionOf(platform, tenantId, row.id).plain(valuesOf(row))

/** Returns the tools of the adapter of voice devices. */
export function voiceTools(platform: Platform): VoiceTools {
  const environment = textsOfEnv(platform.env, voiceConfig.environment)
  // The provider's server may be anywhere if the environment names it (decision B21); otherwise it is public.
  const allow = environment['WAVOIP_URL'] ? EVERYWHERE : platform.env.OUTBOUND_ALLOW
  return {
    environment,
    connect: (to) => outboundConnect({ allow }, to),
    warn: (err, what) => platform.log.warn({ err }, what),
  }
}

async function save(ctx: Ctx, { wavoipToken, ...values }: DeviceForm, id: number | null): Promise<VoiceDevice> {
  const before = id === null ? undefined : required(await deviceRows.lock(ctx.db, id), 'ERR_NO_VOICE_DEVICE_FOUND')
  const written = before
    ? await deviceRows.update(ctx.db, before.id, values, ctx.now)
    : await deviceRows.insert(ctx.db, values, ctx.now)
  const { id: deviceId } = required(written, 'ERR_NO_VOICE_DEVICE_FOUND')
  const { secrets } = encryptionOf(ctx.platform, ctx.tenantId, deviceId).merge(
    deviceFields,
    { ...values, wavoipToken },
    before ? valuesOf(before) : NO_VALUES,
  )
  await storeSecrets(ctx.db, deviceId, secrets)
  ctx.stale(`${DEVICES_CHANGED} ${ctx.tenantId}`)
  return read(ctx.db, deviceId)
}

const read = async (db: Queryable, id: number): Promise<VoiceDevice> =>
  shown(required(await deviceRows.find(db, id), 'ERR_NO_VOICE_DEVICE_FOUND'))

type Status = { readonly state: DeviceState; readonly qrcode: string | null }

/** Connects to a device and returns its state, waiting until it is open or has a code to scan. */
async function stateOf({ platform, tenantId }: SlowCtx, id: number): Promise<Status> {
  await platform.limits.use('voiceState', String(tenantId))
  const row = required(await platform.db.read(tenantId, (db) => deviceRows.find(db, id)), 'ERR_NO_VOICE_DEVICE_FOUND')
  const { openVoice } = await import('#providers/voice/adapters.ts')
  let last: Status = { state: 'connecting', qrcode: null }
  const known = Promise.withResolvers<void>()
  const timer = setTimeout(known.resolve, STATE_MS)
  const device = openVoice(plainDevice(platform, tenantId, row), voiceTools(platform), {
    state(state, qrcode) {
      last = { state, qrcode }
      if (state === 'open' || state === 'linking') known.resolve()
      // The code of a closed device comes with another answer.
      else if (state === 'closed') setTimeout(known.resolve, CODE_MS)
    },
    signal: () => {},
    sound: () => {},
  })
  await known.promise
  clearTimeout(timer)
  device.close()
  return last
}

/** Operations on voice devices. */
export const deviceRoutes = implement(voiceDevices, {
  list: async ({ db }, { query }) => {
    const { rows, page } = await deviceRows.list(db, query)
    return { items: rows.map(shown), ...page }
  },
  get: ({ db }, { params }) => read(db, params.id),
  create: (ctx, { body }) => save(ctx, body, null),
  update: (ctx, { params, body }) => save(ctx, body, params.id),
  remove: async (ctx, { params }) => {
    required(await deviceRows.lock(ctx.db, params.id), 'ERR_NO_VOICE_DEVICE_FOUND')
    await deviceRows.remove(ctx.db, params.id)
    ctx.stale(`${DEVICES_CHANGED} ${ctx.tenantId}`)
    return { message: 'ok' }
  },
  state: (ctx, { params }) => stateOf(ctx, params.id),
})
