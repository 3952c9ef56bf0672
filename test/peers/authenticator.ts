import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** WebAuthn options of the product, as far as the stand-in reads them. */
export type Options = { challenge: string; rp?: { id?: string }; rpId?: string; user?: { id: string } }

/** Deviation of a response from a valid one. */
export type Twist = { origin?: string; rpId?: string; isUnverified?: boolean; counter?: number; userHandle?: string }

const USER_PRESENT = 1
const USER_VERIFIED = 4
const KEY_INSIDE = 64

/** An authenticator of the WebAuthn standard with one ES256 key, unlocked by its owner, in the hands of a browser at `origin`. */
export function authenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let userHandle = ''

  const dataOf = (rpId: string, { isUnverified, counter: told = ++counter }: Twist, key = Buffer.alloc(0)): Buffer => {
    const flags = USER_PRESENT | (isUnverified ? 0 : USER_VERIFIED) | (key.length > 0 ? KEY_INSIDE : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(told)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count, key])
  }
  const clientOf = (type: string, challenge: string, twist: Twist): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: twist.origin ?? origin, crossOrigin: false }))
  const answer = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  })

  return {
    id: id.toString('base64url'),
    /** Returns the result of `navigator.credentials.create`. */
    create(options: Options, twist: Twist = {}) {
      const { x, y } = publicKey.export({ format: 'jwk' })
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(cose)])
      userHandle = options.user!.id
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(dataOf(twist.rpId ?? options.rp!.id!, twist, key))],
      ])
      return answer({
        clientDataJSON: clientOf('webauthn.create', options.challenge, twist).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      })
    },
    /** Returns the result of `navigator.credentials.get`. */
    get(options: Options, twist: Twist = {}) {
      const data = dataOf(twist.rpId ?? options.rpId!, twist)
      const client = clientOf('webauthn.get', options.challenge, twist)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: twist.userHandle ?? userHandle,
      })
    },
  }
}
