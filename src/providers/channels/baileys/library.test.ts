import { createRequire } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'
import { type Device, makeDirectory } from '#features/lab/server/whatsapp/directory.ts'
import { node } from '#features/lab/server/whatsapp/nodes.ts'
import { makePhoneKeys } from '#features/lab/server/whatsapp/phone-keys.ts'
import { loadLibrary } from './library.ts'

afterEach(() => void vi.useRealTimers())

/** Creates two phones that have published their keys. */
async function twoPhones() {
  const { add } = makeDirectory()
  const bundleOf = ({ bundle }: Device) => [
    node('registration', {}, bundle!.registration),
    node('type', {}, Buffer.from([5])),
    node('identity', {}, bundle!.identity),
    bundle!.signed,
    bundle!.once.splice(0, 1)[0]!,
  ]
  const someone = (number: string) => {
    const device = add({ number, name: number }).devices.get(0)!
    return { device, keys: makePhoneKeys(device, bundleOf) }
  }
  const phones = { us: someone('5511900000001'), them: someone('5511900000002') }
  for (const { keys } of Object.values(phones)) await keys.publish()
  return phones
}
type Someone = Awaited<ReturnType<typeof twoPhones>>['us']

test('what somebody else has signed is not signed: nothing is encrypted by keys that are not of whom they name', async () => {
  const { Curve } = await loadLibrary()
  const { us, them } = await twoPhones()
  const { private: key, public: shown } = Curve.generateKeyPair()
  const signature = Curve.sign(key, Buffer.from('this'))
  const signed = ['this', 'that'].map((text) => Curve.verify(shown, Buffer.from(text), signature))
  expect(signed).toEqual([true, false])
  const { signed: own } = them.device.bundle!
  them.device.bundle!.signed = us.device.bundle!.signed
  await expect(us.keys.encrypt(them.device, { conversation: 'Oi' })).rejects.toThrow('No sessions')
  them.device.bundle!.signed = own
  expect((await us.keys.encrypt(them.device, { conversation: 'Oi' })).attrs['type']).toBe('pkmsg')
})

test('a session that a message does not fit is left as it is: what is encrypted with it afterwards can be read', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  await loadLibrary()
  const { us, them } = await twoPhones()
  const say = (from: Someone, to: Someone, text: string) => from.keys.encrypt(to.device, { conversation: text })
  const read = async (by: Someone, from: Someone, enc: Awaited<ReturnType<typeof say>>) =>
    (await by.keys.decrypt(from.device, enc)).conversation

  await read(them, us, await say(us, them, 'Oi'))
  await read(us, them, await say(them, us, 'Bom dia'))
  const late = await say(them, us, 'Estão aí?')
  // As at every opening, and at every retry for a device that could not decrypt.
  vi.setSystemTime(2_000_000)
  const first = await us.keys.encryptAgain(them.device, { conversation: 'Voltamos' }, node('receipt'))
  expect(await read(us, them, late)).toBe('Estão aí?')
  const second = await say(us, them, 'Pois não')
  expect(await read(them, us, first)).toBe('Voltamos')
  expect(await read(them, us, second)).toBe('Pois não')
})

test('prints no session with its keys, whoever ends one; what others print is printed', async () => {
  const print = vi.spyOn(console, 'info').mockImplementation(() => {})
  vi.resetModules()
  await (await import('./library.ts')).loadLibrary()
  const { prototype } = createRequire(import.meta.url)('libsignal/src/session_record.js')
  prototype.closeSession({ indexInfo: { closed: -1 }, currentRatchet: { ephemeralKeyPair: 'private' } })
  expect(print).not.toHaveBeenCalled()
  console.info('something else')
  expect(print.mock.calls).toEqual([['something else']])
  print.mockRestore()
})
