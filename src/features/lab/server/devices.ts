import { readConnection } from '#features/connections/server/index.ts'
import { EVERYBODY } from '#features/ledger/server/journal/index.ts'
import { fail } from '#kit/errors.ts'
import type { DeviceSignal, LocalEnd } from '#providers/channels/port.ts'
import type { ReadCtx } from '#server/context.ts'
import { readPhone } from '#server/phone.ts'
import type { Platform } from '#server/platform.ts'
import { orderWorld, type WORLD_ACTS } from './orders.ts'
import { LINKED } from './phones.ts'

const CHANNEL = 'labDevice'

type DeviceEvent = { readonly tenantId: number; readonly connectionId: number; readonly signal: DeviceSignal }

/** Subscribes to events of the phones that connections are linked to, in whichever process holds the connection. */
export const onDevice =
  (platform: Platform): NonNullable<LocalEnd['onDevice']> =>
  (connection, listener) =>
    platform.bus.subscribe((tenantId, changes) => {
      if (tenantId !== EVERYBODY) return
      for (const { channel, payload } of changes) {
        if (channel !== CHANNEL) continue
        const event = payload as DeviceEvent
        if (event.tenantId === connection.tenantId && event.connectionId === connection.connectionId)
          listener(event.signal)
      }
    })

type WorldAct = (typeof WORLD_ACTS)[number]

/** Scans the code that a channel shows, or ends the link, on a phone; without effect if no connection waits for it. */
export async function actOnDevice(
  ctx: ReadCtx,
  connectionId: number,
  { act, code, number }: { act: WorldAct; code?: string | undefined; number?: string | undefined },
): Promise<void> {
  const linking = await readConnection(ctx, connectionId)
  if (linking.type === LINKED && linking.isVirtual) {
    const order = act === 'scan' ? { act, code: (await scanOf(linking, { code })).code } : { act }
    return orderWorld(ctx.platform, { tenantId: ctx.tenantId, connectionId }, order)
  }
  if (linking.type !== 'lab-device') fail('ERR_NO_WAPP_FOUND')
  if (!isOfDevice(act)) return fail('ERR_VALIDATION', { act: 'Este aparelho não tem essa falha.' })
  const signal = act === 'scan' ? await scanOf(linking, { code, number }) : { act }
  ctx.platform.bus.publish(EVERYBODY, {
    channel: CHANNEL,
    type: CHANNEL,
    payload: { tenantId: ctx.tenantId, connectionId, signal } satisfies DeviceEvent,
    audience: { kind: 'tenant' },
  })
}

const isOfDevice = (act: WorldAct): act is DeviceSignal['act'] =>
  (['scan', 'cut', 'unlink', 'replace', 'ban'] as const).some((one) => one === act)

async function scanOf(
  { qrcode, pairingCode }: { qrcode: string | null; pairingCode: string | null },
  given: { code?: string | undefined; number?: string | undefined },
): Promise<Extract<DeviceSignal, { act: 'scan' }>> {
  const shown = qrcode ?? pairingCode
  const typed = given.code?.trim().replace(/[\s-]/g, '')
  if (shown === null || (typed !== undefined && typed !== shown && typed.toUpperCase() !== shown))
    return fail('ERR_VALIDATION', { code: 'Este código não está mais na tela do canal.' })
  const number = given.number ? (await readPhone(given.number))?.e164.slice(1) : '5511999990000'
  if (!number) return fail('ERR_VALIDATION', { number: 'Informe um número brasileiro com DDD.' })
  return { act: 'scan', code: shown, number }
}
