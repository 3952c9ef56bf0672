import { createRequire } from 'node:module'
import { Curve } from 'baileys'

type Verify = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

const curve = createRequire(import.meta.resolve('baileys'))('libsignal/src/curve.js') as { verifySignature: Verify }
const verify = curve.verifySignature

// The library takes whatever does not throw for a good signature, and a bad one does not throw.
curve.verifySignature = (...signed) => {
  if (!verify(...signed)) throw new Error('a signature that is not of its key')
  return true
}
Curve.verify = (key, message, signature) => {
  const prefixed = key.length === 33 ? key : Buffer.concat([Buffer.from([5]), key])
  return verify(prefixed, message, signature)
}

// Whole sessions would be printed, private keys included.
for (const method of ['info', 'warn', 'error'] as const) {
  const print = console[method]
  console[method] = (...about) => {
    if (!new Error().stack?.includes('/libsignal/')) print.apply(console, about)
  }
}
