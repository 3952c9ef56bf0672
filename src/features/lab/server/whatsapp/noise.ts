import {
  aesDecryptGCM,
  aesEncryptGCM,
  type BinaryNode,
  Curve,
  decodeBinaryNode,
  encodeBinaryNode,
  hkdf,
  type KeyPair,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
  sha256,
} from 'baileys'
import { present } from '#domain/present.ts'

/** Root key of the servers of this process, which a client trusts for all of them. */
export const root: KeyPair = Curve.generateKeyPair()

/** Server side of one connection: converts bytes into nodes and nodes into bytes. */
export type NoiseServer = {
  /** Takes bytes of the socket, in whatever pieces; one call after the other. */
  receive(bytes: Buffer): Promise<void>
  /** Encodes a node as the bytes of a frame. */
  frame(node: BinaryNode): Buffer
}

const nonceOf = (counter: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(counter, 8)
  return bytes
}

const framed = (bytes: Uint8Array): Buffer => {
  const size = Buffer.alloc(3)
  size.writeUIntBE(bytes.length, 0, 3)
  return Buffer.concat([size, bytes])
}

/** Builds the certificate chain of a key, signed by the root. */
function certificates(key: Uint8Array): Uint8Array {
  const { Details } = proto.CertChain.NoiseCertificate
  const middle = Curve.generateKeyPair()
  const issued = (serial: number, issuerSerial: number, of: Uint8Array, by: KeyPair) => {
    const details = Details.encode({ serial, issuerSerial, key: of, notBefore: 0, notAfter: 4_000_000_000 }).finish()
    return { details, signature: Curve.sign(by.private, details) }
  }
  const chain = { intermediate: issued(1, 0, middle.public, root), leaf: issued(2, 1, key, middle) }
  return proto.CertChain.encode(chain).finish()
}

/** Answers the XX handshake of a client; afterwards every frame is a node. Throws on any error. */
export function makeNoiseServer(use: {
  write(bytes: Buffer): void
  onPayload(payload: proto.ClientPayload, clientKey: Buffer): void | Promise<void>
  onNode(node: BinaryNode): void | Promise<void>
}): NoiseServer {
  const ephemeral = Curve.generateKeyPair()
  const identity = Curve.generateKeyPair()
  let stage: 'intro' | 'hello' | 'finish' | 'open' = 'intro'
  let pending: Buffer = Buffer.alloc(0)
  let hash = Buffer.from(NOISE_MODE)
  let salt = hash
  let key = hash
  let counter = 0
  const transport = { read: hash, write: hash, received: 0, sent: 0 }

  const mixHash = (data: Uint8Array) => {
    hash = sha256(Buffer.concat([hash, data])) as typeof hash
  }
  const expand = (data: Uint8Array) => {
    const bytes = Buffer.from(hkdf(data, 64, { salt, info: '' }))
    return [bytes.subarray(0, 32), bytes.subarray(32)] as [typeof hash, typeof hash]
  }
  const mixKey = (data: Uint8Array) => {
    ;[salt, key] = expand(data)
    counter = 0
  }
  const encrypt = (plain: Uint8Array) => {
    const bytes = aesEncryptGCM(plain, key, nonceOf(counter++), hash)
    mixHash(bytes)
    return bytes
  }
  const decrypt = (bytes: Uint8Array) => {
    const plain = aesDecryptGCM(bytes, key, nonceOf(counter++), hash)
    mixHash(bytes)
    return plain
  }

  /** Skips the routing header, if any, and the prologue; false until all of it has arrived. */
  function takeIntro(): boolean {
    if (pending.length < 7) return false
    const routed = pending.subarray(0, 2).toString() === 'ED' ? 7 + pending.readUIntBE(4, 3) : 0
    if (pending.length < routed + 4) return false
    const prologue = pending.subarray(routed, routed + 4)
    if (!prologue.equals(Buffer.from(NOISE_WA_HEADER))) throw new Error('not the prologue of this protocol')
    mixHash(prologue)
    pending = pending.subarray(routed + 4)
    return true
  }

  function answerHello(frame: Buffer) {
    const theirs = present(proto.HandshakeMessage.decode(frame).clientHello).ephemeral!
    mixHash(theirs)
    mixHash(ephemeral.public)
    mixKey(Curve.sharedKey(ephemeral.private, theirs))
    const encrypted = encrypt(identity.public)
    mixKey(Curve.sharedKey(identity.private, theirs))
    const serverHello = {
      ephemeral: ephemeral.public,
      static: encrypted,
      payload: encrypt(certificates(identity.public)),
    }
    use.write(framed(proto.HandshakeMessage.encode({ serverHello }).finish()))
  }

  function finish(frame: Buffer) {
    const { clientFinish } = proto.HandshakeMessage.decode(frame)
    const theirs = decrypt(present(clientFinish).static!)
    mixKey(Curve.sharedKey(ephemeral.private, theirs))
    const payload = proto.ClientPayload.decode(decrypt(present(clientFinish).payload!))
    ;[transport.read, transport.write] = expand(Buffer.alloc(0))
    return use.onPayload(payload, Buffer.from(theirs))
  }

  async function take(frame: Buffer) {
    if (stage === 'hello') {
      stage = 'finish'
      answerHello(frame)
    } else if (stage === 'finish') {
      stage = 'open'
      await finish(frame)
    } else {
      const bytes = aesDecryptGCM(frame, transport.read, nonceOf(transport.received++), Buffer.alloc(0))
      await use.onNode(await decodeBinaryNode(bytes))
    }
  }

  return {
    async receive(bytes) {
      pending = Buffer.concat([pending, bytes])
      if (stage === 'intro') {
        if (!takeIntro()) return
        stage = 'hello'
      }
      while (pending.length >= 3) {
        const end = 3 + pending.readUIntBE(0, 3)
        if (pending.length < end) return
        const frame = pending.subarray(3, end)
        pending = pending.subarray(end)
        await take(frame)
      }
    },
    frame: (about) =>
      framed(aesEncryptGCM(encodeBinaryNode(about), transport.write, nonceOf(transport.sent++), Buffer.alloc(0))),
  }
}
