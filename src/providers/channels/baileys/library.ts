import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { howToInstall } from '#kit/how-to-install.ts'
import { needsPerson } from '../port.ts'

/** Library for linking a device. */
export type Library = typeof import('baileys')

/** Text shown if the library is not installed. */
export const MISSING = howToInstall('baileys')

type Verify = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
type GivenKeys = { identityKey: Uint8Array; signedPreKey: { publicKey: Uint8Array; signature: Uint8Array } }
type SessionBuilder = { initOutgoing(keys: GivenKeys): Promise<void> }
type Session = { serialize(): object; readonly constructor: { deserialize(stored: object): object } }
type SessionCipher = { doDecryptWhisperMessage(message: Uint8Array, session: Session): Promise<Uint8Array> }

let loading: Promise<Library> | undefined
const vouching = new AsyncLocalStorage<string | undefined>()

/** Opens a socket whose server shows certificates of another key than WhatsApp's own: `root`, 64 hex digits. */
export const believing = <T>(root: string | undefined, open: () => T): T => vouching.run(root, open)

/**
 * Loads the library at its first use; fails with a sentence for people if it is not installed. Patched so that it prints no
 * keys, accepts no wrong signature, and damages no session by trying it.
 */
export function loadLibrary(): Promise<Library> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Library> {
  const library = await import('baileys').catch(() => {
    throw needsPerson(MISSING, 'missing')
  })
  silence()
  const part = createRequire(import.meta.resolve('baileys'))
  checkSignatures(library, part)
  spareSessions(part)
  return library
}

/** Silences the console output of libsignal, which prints whole sessions with private keys. */
function silence(): void {
  for (const method of ['info', 'warn', 'error'] as const) {
    const print = console[method]
    console[method] = (...about) => {
      if (!new Error().stack?.includes('/libsignal/')) print.apply(console, about)
    }
  }
}

/**
 * Patches signature checks of the library: it accepts any signature that does not throw, a bad one does not throw, and
 * prekey signatures are not checked. A device with a foreign key gets no session and is left out of what others get.
 */
function checkSignatures({ Curve, WA_CERT_DETAILS }: Library, part: NodeJS.Require): void {
  const { verifySignature: verify }: { verifySignature: Verify } = part('libsignal/src/curve.js')
  const isOf: Verify = (key, message, signature) => {
    try {
      return verify(key.length === 33 ? key : Buffer.concat([Buffer.from([5]), key]), message, signature)
    } catch {
      return false
    }
  }
  Curve.verify = (key, message, signature) => {
    const root = key === WA_CERT_DETAILS.PUBLIC_KEY && vouching.getStore()
    return isOf(root ? Buffer.from(root, 'hex') : key, message, signature)
  }
  const { prototype }: { prototype: SessionBuilder } = part('libsignal/src/session_builder.js')
  const begin = prototype.initOutgoing
  prototype.initOutgoing = async function (keys) {
    const { publicKey, signature } = keys.signedPreKey
    if (isOf(keys.identityKey, publicKey, signature)) await begin.call(this, keys)
  }
}

/**
 * Patches decryption of the library: it tries sessions in turn, steps each, and stores them all. A newer session would be
 * spoilt by an older message, and messages encrypted with it unreadable; a failed attempt is now rolled back.
 */
function spareSessions(part: NodeJS.Require): void {
  const { prototype }: { prototype: SessionCipher } = part('libsignal/src/session_cipher.js')
  const decrypt = prototype.doDecryptWhisperMessage
  prototype.doDecryptWhisperMessage = async function (message, session) {
    const before = session.serialize()
    return decrypt.call(this, message, session).catch((error) => {
      Object.assign(session, session.constructor.deserialize(before))
      throw error
    })
  }
}

const nothing = () => {}

/** Silent logger for the library, whose output would contain people and keys. */
export const silent = {
  level: 'silent',
  child: () => silent,
  ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
}
