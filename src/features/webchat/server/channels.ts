import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { changeConnection, decrypt, encrypt, makeConnection } from '#features/connections/server/index.ts'
import { required } from '#kit/errors.ts'
import { hintOf } from '#kit/fields/secret.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import type { Platform } from '#server/platform.ts'
import { newToken } from '#server/secrets.ts'
import type { WebchatChannel, WebchatChannelValues, WebchatMailer } from '../contract.ts'
import { webchatChannelForm, webchatLook } from '../forms.ts'
import { mailerOf } from './mailer.ts'
import { findChannel, listChannels, type StoredChannel } from './queries.ts'

/** Directory kind of public channel tokens (decision B2). */
export const CHANNEL_KIND = 'webchat_channel'

/** Returns the key with which a company's server proves its reader's identity; null if none was created. */
export function proofSecret(
  platform: Platform,
  { proof, ...of }: { tenantId: number; id: number } & Pick<StoredChannel, 'proof'>,
): string | null {
  return proof ? decrypt(platform, of, proof.sealed) : null
}

/** Whether `hash` is HMAC-SHA256(secret, user id) in hexadecimal. */
export function isProof(secret: string, userId: string, hash: string): boolean {
  const expected = createHmac('sha256', secret).update(userId).digest()
  const given = Buffer.from(hash, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

type Row = { id: number; name: string; queue_id: number | null; config: unknown }

/** Parses a stored appearance; missing or invalid fields get defaults. */
export function lookOf(stored: unknown, name: string): z.output<typeof webchatLook> {
  const fallback = {
    title: name,
    welcome: 'Olá! Como podemos ajudar?',
    away: 'Respondemos assim que possível',
    color: null,
    position: 'right',
    theme: 'auto',
    locale: 'auto',
  } as const
  const read = webchatLook.safeParse({ ...fallback, ...(typeof stored === 'object' ? stored : null) })
  return read.success ? read.data : fallback
}

const beginning = webchatChannelForm.pick({ form: true, absent: true, openings: true })

/** Parses a stored channel's settings for the start of conversations; missing or invalid ones request nothing. */
export function beginningOf({ form, absent, openings }: Pick<StoredChannel, 'form' | 'absent' | 'openings'>) {
  const read = beginning.safeParse({ form, absent, openings })
  return read.success ? read.data : beginning.parse({})
}

const shown = (row: Row): WebchatChannel => {
  const config = row.config as Partial<StoredChannel>
  return {
    id: row.id,
    name: row.name,
    queueId: row.queue_id,
    look: lookOf(config.look, row.name),
    domains: config.domains ?? [],
    requiresProof: config.requiresProof ?? false,
    ...beginningOf(config),
    mails: config.mails ?? true,
    token: config.token ?? '',
    proofHint: config.proof?.hint ?? null,
  }
}

/** Returns the company's webchat channels. */
export async function readChannels(
  ctx: ReadCtx,
): Promise<{ channels: WebchatChannel[]; mailer: WebchatMailer | null }> {
  const mailer = await mailerOf(ctx.db)
  const { address = '', takesAnswers = false } = mailer ?? {}
  return { channels: (await listChannels(ctx.db)).map(shown), mailer: mailer && { address, takesAnswers } }
}

/** Creates a channel; it works at once. */
export async function createChannel(ctx: Ctx, form: WebchatChannelValues): Promise<WebchatChannel> {
  const { name, queueId, ...rest } = form
  const config = { ...rest, token: newToken() }
  const id = await makeConnection(ctx, { type: 'webchat', name, queueId, status: 'CONNECTED', config })
  await saveInDirectory(ctx.db, CHANNEL_KIND, id, [config.token])
  return shown({ id, name, queue_id: queueId, config })
}

async function change(
  ctx: Ctx,
  id: number,
  form: Partial<WebchatChannelValues & Pick<StoredChannel, 'token' | 'proof'>>,
) {
  const row = required(await findChannel(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const { name = row.name, queueId = row.queue_id, ...rest } = form
  const config = { ...(row.config as StoredChannel), ...rest }
  await changeConnection(ctx, id, { name, queueId, config })
  return shown({ id, name, queue_id: queueId, config })
}

/** Changes a channel; sites get the change with their next page load. */
export const saveChannel = (ctx: Ctx, id: number, form: WebchatChannelValues): Promise<WebchatChannel> =>
  change(ctx, id, form)

/** Replaces a channel's public token; the old token stops working. */
export async function renewToken(ctx: Ctx, id: number): Promise<WebchatChannel> {
  const token = newToken()
  const changed = await change(ctx, id, { token })
  await saveInDirectory(ctx.db, CHANNEL_KIND, id, [token])
  return changed
}

/** Creates the secret for proofs of a reader's identity; stored encrypted (decision B13) and returned only once. */
export async function newProofSecret(ctx: Ctx, id: number): Promise<{ proofSecret: string }> {
  const made = newToken()
  const encrypted = encrypt(ctx.platform, { tenantId: ctx.tenantId, id }, made)
  await change(ctx, id, { proof: { sealed: encrypted, hint: hintOf(made) } })
  return { proofSecret: made }
}
