import { randomBytes, randomUUID } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  hkdf,
  hmacSign,
  type KeyPair,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
  WA_ADV_DEVICE_SIG_PREFIX,
} from 'baileys'
import { partAfter, partBefore, present } from '#domain/present.ts'
import { type Account, addDevice, type Device, jidOf } from './directory.ts'
import { type BinaryNode, bytesOf, child, node, SERVER } from './nodes.ts'

/** Number of codes that a client gets to show one after another. */
const REFS = 6

/** Client that shows a code and belongs to no account yet. */
export type Unlinked = {
  readonly send: (node: BinaryNode) => void
  readonly registration: proto.ClientPayload.IDevicePairingRegistrationData
  readonly noiseKey: Buffer
  readonly refs: readonly string[]
  /** Number given with the request for a code of eight characters, and the client's wrapped key. */
  hello?: { number: string; wrapped: Buffer; ref: Buffer }
  readonly answers: Map<string, (answer: BinaryNode) => void>
}

const join = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts)

/** Links clients to accounts, by QR code or typed code. */
export function makeLinking() {
  const unlinked = new Set<Unlinked>()
  /** Noise key of each linked device. */
  const noiseKeys = new WeakMap<Device, Buffer>()

  const answerOf = (client: Unlinked, id: string) =>
    new Promise<BinaryNode>((resolve) => void client.answers.set(id, resolve))

  async function link(client: Unlinked, account: Account, identity: KeyPair, secret: Uint8Array): Promise<Device> {
    const { eIdent, eRegid, eSkeyId, eSkeyVal, eSkeySig } = client.registration
    const number = account.nextDevice++
    const details = proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp: 1, keyIndex: number }).finish()
    const signature = Curve.sign(identity.private, join(WA_ADV_ACCOUNT_SIG_PREFIX, details, eIdent!))
    const signed = proto.ADVSignedDeviceIdentity.encode({
      details,
      accountSignatureKey: identity.public,
      accountSignature: signature,
    }).finish()
    const proven = proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac: hmacSign(signed, secret) })
    const id = randomUUID()
    const answered = answerOf(client, id)
    client.send(
      node('iq', { from: SERVER, type: 'set', id }, [
        node('pair-success', {}, [
          node('device-identity', {}, proven.finish()),
          node('biz', { name: account.name }),
          node('platform', { name: 'android' }),
          node('device', { jid: jidOf(account, SERVER, number), lid: jidOf(account, 'lid', number) }),
        ]),
      ]),
    )
    const own = proto.ADVSignedDeviceIdentity.decode(
      bytesOf(child(await answered, 'pair-device-sign'), 'device-identity'),
    )
    const message = join(WA_ADV_DEVICE_SIG_PREFIX, details, eIdent!, identity.public)
    if (!Curve.verify(eIdent!, message, own.deviceSignature!)) throw new Error('the device did not sign its identity')
    const device = addDevice(account, number)
    device.bundle = {
      registration: eRegid!,
      identity: eIdent!,
      signed: node('skey', {}, [
        node('id', {}, eSkeyId!),
        node('value', {}, eSkeyVal!),
        node('signature', {}, eSkeySig!),
      ]),
      once: [],
    }
    noiseKeys.set(device, client.noiseKey)
    unlinked.delete(client)
    client.send(node('stream:error', { code: 515 }))
    return device
  }

  return {
    /** Whether a connection with that key may log in as a device. */
    isOf: (device: Device, noiseKey: Buffer): boolean => noiseKeys.get(device)?.equals(noiseKey) ?? false,

    /** Sends a new client the codes that it may show. */
    offer(send: Unlinked['send'], payload: proto.ClientPayload, noiseKey: Buffer): Unlinked {
      const refs = Array.from({ length: REFS }, () => `2@${randomBytes(24).toString('base64')}`)
      const client: Unlinked = { send, registration: payload.devicePairingData!, noiseKey, refs, answers: new Map() }
      unlinked.add(client)
      const content = refs.map((ref) => node('ref', {}, Buffer.from(ref)))
      send(node('iq', { from: SERVER, type: 'set', xmlns: 'md', id: randomUUID() }, [node('pair-device', {}, content)]))
      return client
    },
    forget: (client: Unlinked) => void unlinked.delete(client),

    /** Takes a node from a client that is not linked yet. */
    take(client: Unlinked, iq: BinaryNode) {
      const answer = client.answers.get(iq.attrs['id'] ?? '')
      if (iq.attrs['type'] === 'result') return answer?.(iq)
      const asked = child(iq, 'link_code_companion_reg')
      const result = (content?: BinaryNode[]) =>
        client.send(node('iq', { from: SERVER, type: 'result', id: iq.attrs['id'] }, content))
      if (asked?.attrs['stage'] === 'companion_hello') {
        const ref = randomBytes(16)
        const wrapped = bytesOf(asked, 'link_code_pairing_wrapped_companion_ephemeral_pub')
        client.hello = { number: partBefore(asked.attrs['jid'] ?? '', '@'), wrapped, ref }
        return result([node('link_code_companion_reg', {}, [node('link_code_pairing_ref', {}, ref)])])
      }
      result()
      if (asked) client.answers.get('companion_finish')?.(asked)
    },

    /** Links a client whose QR code the phone of an account scans. */
    async scan(account: Account, identity: KeyPair, qr: string): Promise<Device> {
      const [ref, noise, key, secret] = partAfter(qr, '#').split(',')
      const client = [...unlinked].find(({ refs }) => refs.includes(ref!))
      if (!client) throw new Error('nobody shows this code')
      const shown = join(Buffer.from(noise!, 'base64'), Buffer.from(key!, 'base64'))
      if (!shown.equals(join(client.noiseKey, client.registration.eIdent!))) throw new Error('another client’s keys')
      return link(client, account, identity, Buffer.from(secret!, 'base64'))
    },

    /** Whether a client waits for a code of this number. */
    isAsked: ({ number }: Account): boolean => [...unlinked].some(({ hello }) => hello?.number === number),

    /** Enters the eight characters shown by a client on the phone of an account. */
    async enterCode(account: Account, identity: KeyPair, code: string): Promise<Device> {
      const client = [...unlinked].find(({ hello }) => hello?.number === account.number)
      if (!client) throw new Error('nobody waits for a code of this number')
      const { wrapped, ref } = present(client.hello)
      const opened = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
      const theirs = aesDecryptCTR(wrapped.subarray(48, 80), opened, wrapped.subarray(32, 48))
      const own = Curve.generateKeyPair()
      const [salt, iv] = [randomBytes(32), randomBytes(16)]
      const closed = aesEncryptCTR(own.public, await derivePairingCodeKey(code, salt), iv)
      const finished = answerOf(client, 'companion_finish')
      client.send(
        node('notification', { from: SERVER, type: 'link_code_companion_reg', id: randomUUID() }, [
          node('link_code_companion_reg', { stage: 'primary_hello' }, [
            node('link_code_pairing_ref', {}, ref),
            node('primary_identity_pub', {}, identity.public),
            node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, join(salt, iv, closed)),
          ]),
        ]),
      )
      const bundle = bytesOf(await finished, 'link_code_pairing_wrapped_key_bundle')
      const shared = Curve.sharedKey(own.private, theirs)
      const info = 'link_code_pairing_key_bundle_encryption_key'
      const key = Buffer.from(hkdf(shared, 32, { salt: bundle.subarray(0, 32), info }))
      const plain = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0))
      const [companion, random] = [plain.subarray(0, 32), plain.subarray(64, 96)]
      const agreed = join(shared, Curve.sharedKey(identity.private, companion), random)
      return link(client, account, identity, hkdf(agreed, 32, { info: 'adv_secret' }))
    },
  }
}
