import { buffer } from 'node:stream/consumers'
import { isFall } from '#domain/connections/number-state.ts'
import { lastOf, present } from '#domain/present.ts'
import { callbackOf } from '#features/connections/server/index.ts'
import { adapterOf } from '#features/ledger/server/ports/index.ts'
import type { Returned } from '#kit/contract.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import { channelConfigs, channelType } from '#providers/channels/configs.ts'
import { isSendFailure, type NumberDesk } from '#providers/channels/port.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { providerNumbers } from '../contract.ts'
import { findNumber, listChanges, listNumbers, type NumberRecord } from './queries.ts'
import { readState } from './states.ts'

const PAGE = 30
const PICTURES = ['image/jpeg', 'image/png']

/** Routes of numbers at providers. */
export const numberRoutes = implement(providerNumbers, {
  list: async (ctx) => {
    const types = channelConfigs.flatMap((config) => (config.businessField ? config.types.map(({ type }) => type) : []))
    return { numbers: (await listNumbers(ctx.db, types)).map(shown) }
  },
  changes: async (ctx, { params: { id }, query: { cursor } }) => {
    required(await findNumber(ctx.db, id), 'ERR_NO_WAPP_FOUND')
    const before = cursor ? cursorParts(cursor, ['number'])[0] : null
    const rows = await listChanges(ctx.db, id, { before, limit: PAGE + 1 })
    const page = rows.slice(0, PAGE)
    const hasMore = rows.length > PAGE
    return {
      changes: page.map((row) => ({ ...row, at: row.at.getTime(), isFall: isFall(row) })),
      ...{ count: page.length, countIsCapped: hasMore, hasMore },
      nextCursor: hasMore ? encodeCursor([lastOf(page).id]) : null,
    }
  },
  read: async (ctx, { params: { id } }) => {
    await deskOf(ctx, id)
    await asked(readState(ctx.platform, ctx.tenantId, id))
    return shown(required(await ctx.platform.db.read(ctx.tenantId, (db) => findNumber(db, id)), 'ERR_NO_WAPP_FOUND'))
  },
  profile: async (ctx, { params: { id } }) => {
    const { websites, picture, ...profile } = await asked((await deskOf(ctx, id)).profile())
    return { ...profile, websites: [...websites], picture: picture && dataAddressOf(picture) }
  },
  saveProfile: async (ctx, { params: { id }, body }) => {
    await asked((await deskOf(ctx, id)).saveProfile(body))
    return DONE
  },
  savePicture: async (ctx, { params: { id }, files: [file] }) => {
    const desk = await deskOf(ctx, id)
    if (!file || !PICTURES.includes(file.mime)) return fail('ERR_FILE_TYPE')
    const bytes = await buffer(ctx.platform.storage.open(file))
    await asked(desk.savePicture({ name: file.name, mime: file.mime, bytes }))
    return DONE
  },
  requestCode: async (ctx, { params: { id }, body: { by } }) => {
    await asked((await countedDesk(ctx, id)).requestCode(by))
    return DONE
  },
  verify: async (ctx, { params: { id }, body: { code } }) => {
    await asked((await countedDesk(ctx, id)).verify(code))
    await readAfter(ctx, id)
    return DONE
  },
  register: async (ctx, { params: { id }, body: { pin } }) => {
    await asked((await countedDesk(ctx, id)).register(pin))
    await readAfter(ctx, id)
    return DONE
  },
  setCallback: async (ctx, { params: { id }, body: { isHere } }) => {
    const desk = await deskOf(ctx, id)
    const address = isHere ? await ourCallback(ctx, id) : null
    await asked(desk.setCallback(address))
    return DONE
  },
})

// A JPEG begins with FF D8; other pictures of providers are PNG.
const dataAddressOf = (bytes: Uint8Array): string =>
  `data:image/${bytes[0] === 0xff ? 'jpeg' : 'png'};base64,${Buffer.from(bytes).toString('base64')}`

const DONE = { message: 'ok' } as const

function shown(row: NumberRecord): Returned<typeof providerNumbers.read> {
  const { connectionId: whatsappId, name, type, status, state, readAt } = row
  const { business: _, ...parts } = state ?? { business: '' }
  return {
    ...{ whatsappId, name, type, isConnected: status === 'CONNECTED' },
    state: state && readAt ? { ...(parts as Omit<typeof state, 'business'>), readAt: readAt.getTime() } : null,
  }
}

async function deskOf({ platform, tenantId }: SlowCtx, id: number): Promise<NumberDesk> {
  required(await platform.db.read(tenantId, (db) => findNumber(db, id)), 'ERR_NO_WAPP_FOUND')
  return (await adapterOf(platform, tenantId, id)).numbers ?? fail('ERR_CHANNEL_CANNOT')
}

// Rate-limits codes and PINs against guessing.
async function countedDesk(ctx: SlowCtx, id: number): Promise<NumberDesk> {
  await ctx.platform.limits.use('providerTest', `${ctx.tenantId} number`)
  return deskOf(ctx, id)
}

// The change succeeded even if the number's new state cannot be read at once.
const readAfter = ({ platform, tenantId }: SlowCtx, id: number): Promise<void> =>
  readState(platform, tenantId, id).catch((err: unknown) =>
    platform.log.warn({ err, tenantId, connectionId: id }, 'how a number stands could not be read'),
  )

async function ourCallback({ platform, tenantId }: SlowCtx, id: number): Promise<string> {
  const { type } = required(await platform.db.read(tenantId, (db) => findNumber(db, id)), 'ERR_NO_WAPP_FOUND')
  const address = await callbackOf(platform, tenantId, present(channelType(type)).config)
  return address ?? fail('ERR_NO_CALLBACK')
}

// Converts a provider's refusal to an error with the adapter's text.
const asked = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!isSendFailure(error)) throw error
    return fail('ERR_NUMBER_PROVIDER', { reason: error.message })
  })
