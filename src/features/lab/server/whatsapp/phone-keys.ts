import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  encodeWAMessage,
  extractE2ESessionFromRetryReceipt,
  initAuthCreds,
  type KeyPair,
  parseAndInjectE2ESessions,
  proto,
  type SignalKeyStore,
  unpadRandomMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from 'baileys'
import { present } from '#domain/present.ts'
import { type Device, keyName } from './directory.ts'
import { type BinaryNode, bytesIn, node, silent } from './nodes.ts'

/** Number of one-time keys that a phone publishes; further sessions begin without one. */
const ONE_TIME_KEYS = 20

const makeStore = (): SignalKeyStore & { forget(type: string): void } => {
  const stored = new Map<string, unknown>()
  return {
    forget: (type) => {
      for (const name of stored.keys()) if (name.startsWith(`${type} `)) stored.delete(name)
    },
    get: (type, ids) => {
      const found = ids.flatMap((id) => (stored.has(`${type} ${id}`) ? [[id, stored.get(`${type} ${id}`)]] : []))
      return Object.fromEntries(found)
    },
    set: (data) => {
      for (const [type, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries))
          if (value) stored.set(`${type} ${id}`, value)
          else stored.delete(`${type} ${id}`)
    },
  }
}

/** Creates the keys of a device and publishes their public halves, as a phone does at its set-up. */
export function makePhoneKeys(device: Device, bundleOf: (device: Device) => BinaryNode[]) {
  const creds = initAuthCreds()
  const store = makeStore()
  const keys = addTransactionCapability(store, silent, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })
  const signal = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, silent, async () => [])
  /** Devices that have this phone's sender key of each group. */
  const informed = new Map<string, Set<Device>>()
  let lastKey = 0
  const newKeys = async (count: number): Promise<BinaryNode[]> => {
    const pairs: Record<string, KeyPair> = {}
    for (let n = 0; n < count; n++) pairs[++lastKey] = Curve.generateKeyPair()
    await keys.set({ 'pre-key': pairs })
    return Object.entries(pairs).map(([id, pair]) => xmppPreKey(pair, Number(id)))
  }
  const publish = async () => {
    device.bundle = {
      registration: encodeBigEndian(creds.registrationId),
      identity: creds.signedIdentityKey.public,
      signed: xmppSignedPreKey(creds.signedPreKey),
      once: await newKeys(ONE_TIME_KEYS),
    }
  }

  async function begin(to: Device) {
    const user = node('user', { jid: keyName(to) }, bundleOf(to))
    await parseAndInjectE2ESessions(node('iq', {}, [node('list', {}, [user])]), signal)
  }

  async function encrypt(to: Device, message: proto.IMessage): Promise<BinaryNode> {
    const jid = keyName(to)
    if (!(await signal.validateSession(jid)).exists) await begin(to)
    const { type, ciphertext } = await signal.encryptMessage({ jid, data: encodeWAMessage(message) })
    return node('enc', { v: '2', type }, ciphertext)
  }

  return {
    identity: creds.signedIdentityKey,
    publish,
    encrypt,
    /** Deletes all sessions and pre-keys, so that messages encrypted with them cannot be decrypted. */
    forgetSessions() {
      for (const type of ['session', 'pre-key']) store.forget(type)
    },

    /** Encrypts a message for a group, with the group's key for members who do not have it yet. */
    async encryptForGroup(group: string, to: readonly Device[], message: proto.IMessage) {
      const meId = keyName(device)
      const data = encodeWAMessage(message)
      const { ciphertext, senderKeyDistributionMessage } = await signal.encryptGroupMessage({ group, meId, data })
      const known = informed.get(group) ?? new Set()
      informed.set(group, known)
      const key = { groupId: group, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage }
      const own: [Device, BinaryNode][] = []
      for (const one of to) {
        if (known.has(one)) continue
        own.push([one, await encrypt(one, { senderKeyDistributionMessage: key })])
        known.add(one)
      }
      return { own, common: node('enc', { v: '2', type: 'skmsg' }, ciphertext) }
    },

    /** Encrypts a message again for one device that could not decrypt it, with the group's key if in a group. */
    async encryptAgain(to: Device, message: proto.IMessage, receipt: BinaryNode, group?: string) {
      const session = extractE2ESessionFromRetryReceipt(receipt)
      if (session) await signal.injectE2ESession({ jid: keyName(to), session: session })
      else await begin(to)
      if (!group) return encrypt(to, message)
      const key = await signal.getSenderKeyDistributionMessage({ group, meId: keyName(device) })
      return encrypt(to, {
        ...message,
        senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage: key },
      })
    },

    /** Decrypts a message of a device; throws if its session does not match. */
    async decrypt(from: Device, sent: BinaryNode, group?: string): Promise<proto.Message> {
      const jid = keyName(from)
      const { attrs } = sent
      const ciphertext = bytesIn(sent)
      const plain =
        attrs['type'] === 'skmsg'
          ? await signal.decryptGroupMessage({ group: group!, authorJid: jid, msg: ciphertext })
          : await signal.decryptMessage({ jid, type: attrs['type'] === 'pkmsg' ? 'pkmsg' : 'msg', ciphertext })
      const message = proto.Message.decode(unpadRandomMax16(plain))
      const item = message.senderKeyDistributionMessage
      if (item) await signal.processSenderKeyDistributionMessage({ authorJid: jid, item })
      return message
    },

    /** Builds the content of a retry request for an undecryptable message, with fresh keys for a new session. */
    async retryContent(): Promise<BinaryNode[]> {
      const [once] = await newKeys(1)
      const { registration, identity, signed } = present(device.bundle)
      return [
        node('registration', {}, registration),
        node('keys', {}, [node('type', {}, Buffer.from([5])), node('identity', {}, identity), once!, signed]),
      ]
    },
  }
}
