import { Readable } from 'node:stream'
import type { WASocket } from 'baileys'
import { expect, test } from 'vitest'
import { pictureOf } from './pictures.ts'

const asked: string[] = []
/** Returns the picture for a response of WhatsApp: a URL, or an error code. */
const picture = (where: string | number, body = Buffer.from('imagem'), status = 200) =>
  pictureOf(
    {
      profilePictureUrl: async () => {
        if (typeof where === 'number') throw Object.assign(new Error('refused'), { data: where })
        return where
      },
    } as unknown as WASocket,
    {
      environment: {},
      stream: async (url) => {
        asked.push(url)
        return { url, status, headers: {}, body: Readable.from([body]) }
      },
    },
    '5511988887777',
  )

test('whoever has none, or shows it to others only, has none; what else goes wrong is no answer', async () => {
  for (const code of [401, 403, 404]) expect(await picture(code)).toBeNull()
  expect(await picture('https://pps.whatsapp.net/v/1', Buffer.alloc(0), 410)).toBeNull()
  await expect(picture(500)).rejects.toThrow()
  await expect(picture('https://pps.whatsapp.net/v/1', Buffer.alloc(0), 503)).rejects.toThrow()
})

test('is taken from where WhatsApp has its own, and from nowhere else, up to a size', async () => {
  asked.length = 0
  expect(String(await picture('https://pps.whatsapp.net/v/1?x=2'))).toBe('imagem')
  for (const address of [
    'https://pps.whatsapp.net.exemplo.test/1',
    'https://xwhatsapp.net/1',
    'https://10.0.0.1/1',
    'http://pps.whatsapp.net/1',
  ])
    await expect(picture(address)).rejects.toThrow('somewhere else')
  expect(asked).toEqual(['https://pps.whatsapp.net/v/1?x=2'])
  await expect(picture('https://pps.whatsapp.net/v/1', Buffer.alloc(3_000_000))).rejects.toThrow('too large')
})
