import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import tls from 'node:tls'
import { importJWK, jwtVerify } from 'jose'
import { certificate, certificateKey } from '#features/lab/server/whatsapp/certificate.ts'
import { until } from '../until.ts'

/** Push that the service accepted for a device: its headers, and the content that the device decrypts. */
export type Push = {
  ttl: number
  topic: string
  urgency: string
  subject: string
  publicKey: string
  content: Record<string, unknown>
}

/** A browser as its push service knows it. */
export type PushDevice = {
  subscription: { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } }
  taken: Push[]
  /** Number of requests, including refused ones. */
  calls: number
  /** Sets the status of the following requests; 201 accepts them. */
  answer(status: number): void
  /** Waits for the next push not yet returned, and returns it. */
  next(): Promise<Push>
}

/** Starts a push service (RFC 8030) on this machine that checks the sender (RFC 8292), with devices that decrypt (RFC 8291). */
export async function startPushService() {
  const devices = new Map<string, PushDevice & { receive(body: Buffer): Record<string, unknown>; status: number }>()
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, certificate])
  let origin = ''

  const server = createServer({ cert: certificate, key: certificateKey }, async (request, response) => {
    const body = await buffer(request)
    const device = devices.get(String(request.url))
    if (device) device.calls += 1
    const status = device?.status ?? 404
    const answer = async () => {
      if (!device || request.method !== 'POST' || status >= 300) return status
      const { headers } = request
      const [, token = '', publicKey = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
      const subject = await checkSender(token, publicKey, origin)
      if (headers['content-encoding'] !== 'aes128gcm' || body.length > 4096) return 400
      const [topic, urgency] = [String(headers['topic']), String(headers['urgency'])]
      const content = device.receive(body)
      device.taken.push({ ttl: Number(headers['ttl']), topic, urgency, subject, publicKey, content })
      return 201
    }
    response.writeHead(await answer().catch(() => 403)).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `https://localhost:${(server.address() as AddressInfo).port}`

  return {
    origin,
    /** A browser that has just subscribed. */
    device(): PushDevice {
      const pair = createECDH('prime256v1')
      pair.generateKeys()
      const auth = randomBytes(16)
      const path = `/send/${randomBytes(24).toString('base64url')}`
      const keys = { p256dh: pair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') }
      let asked = 0
      const device = {
        subscription: { endpoint: `${origin}${path}`, expirationTime: null, keys },
        taken: [] as Push[],
        calls: 0,
        status: 201,
        answer(status: number) {
          device.status = status
        },
        async next() {
          await until(() => device.taken.length > asked)
          return device.taken[asked++]!
        },
        receive: (body: Buffer) => JSON.parse(decrypt(body, pair, auth)) as Record<string, unknown>,
      }
      devices.set(path, device)
      return device
    },
    async close() {
      tls.setDefaultCACertificates(trusted)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Verifies the sender's signed token with its enclosed key, for this service and at most a day (RFC 8292). */
async function checkSender(token: string, publicKey: string, audience: string): Promise<string> {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x: x!, y: y! }, 'ES256')
  const { payload } = await jwtVerify(token, key, { audience, algorithms: ['ES256'] })
  if (payload.exp! > Date.now() / 1000 + 86_400) throw new Error('signed for longer than a day')
  return payload.sub!
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

function decrypt(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body[20]!)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const secret = derive(pair.computeSecret(sender), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const encrypted = body.subarray(21 + body[20]!)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(encrypted.subarray(-16))
  const plain = Buffer.concat([cipher.update(encrypted.subarray(0, -16)), cipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')
}
