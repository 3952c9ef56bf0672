import { randomBytes } from 'node:crypto'
import { phonesAdapter } from '../phones.ts'
import { type DeviceSignal, type Link, type MakeChannelAdapter, needsPerson } from '../port.ts'

/** Lifetime of the first code and of later ones, in seconds. */
const FIRST_SECONDS = 60
const NEXT_SECONDS = 20
/** Letters and digits that cannot be confused with one another. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTVWXYZ123456789'

const codeOf = (length: number): string => Array.from(randomBytes(length), (byte) => LETTERS[byte % 32]).join('')

const stops = {
  unlink: () => needsPerson('the phone unlinked the device', 'unlinked'),
  replace: () => needsPerson('another program took its place', 'replaced'),
  ban: () => needsPerson('the number is barred', 'banned'),
  cut: () => new Error('the connection was cut'),
}

/** Adapter of the virtual phones that connects once a phone has read its code, like a linked WhatsApp. */
export const labDeviceAdapter: MakeChannelAdapter = (values, tools) => {
  let end = (_error: Error): void => {}
  return {
    ...phonesAdapter(values, tools),
    async open(link) {
      const over = Promise.withResolvers<never>()
      end = over.reject
      over.promise.catch(() => {})
      let onScan = (_signal: Extract<DeviceSignal, { act: 'scan' }>): void => {}
      const unsubscribe = tools.local?.onDevice?.(link.connection, (signal) => {
        if (signal.act === 'scan') onScan(signal)
        else over.reject(stops[signal.act]())
      })
      try {
        const scanned = (code: string, seconds: number) =>
          new Promise<string | null>((resolve) => {
            const limit = setTimeout(() => resolve(null), seconds * 1000)
            onScan = (signal) => {
              if (signal.code !== code) return
              clearTimeout(limit)
              resolve(signal.number)
            }
          })
        const stored = (await link.state.get(['number'])).get('number')
        const number = stored ? String(stored) : await Promise.race([linked(link, scanned), over.promise])
        await link.status('CONNECTED', { number })
        // The phones store their messages, and deliver them by themselves.
        await link.caughtUp(0)
        await over.promise
      } finally {
        unsubscribe?.()
      }
    },
    close: async () => end(new Error('the connection was closed')),
    logout: async () => end(stops.unlink()),
  }
}

/** Shows one code after another until a phone scans one; returns the number of that phone. */
async function linked(link: Link, scanned: (code: string, seconds: number) => Promise<string | null>): Promise<string> {
  for (let seconds = FIRST_SECONDS; ; seconds = NEXT_SECONDS) {
    const code = link.pairing ? codeOf(8) : `lab:${codeOf(32)}`
    const read = scanned(code, seconds)
    await link.status('qrcode', link.pairing ? { pairingCode: code, seconds } : { qrcode: code, seconds })
    const number = await read
    if (number === null) continue
    await link.status('PAIRING')
    await link.emit([], new Map([['number', link.pairing ?? number]]))
    return link.pairing ?? number
  }
}
