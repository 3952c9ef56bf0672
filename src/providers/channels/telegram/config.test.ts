import { expect, test } from 'vitest'
import { whyNotFile } from '#domain/messages/file-limits.ts'
import { telegramConfig } from './config.ts'

const MB = 1_000_000
const { files, receipts } = telegramConfig.capabilities
const whyNot = (mime: string, size: number) => whyNotFile(files, { mime, size })

test('what Telegram takes from bots is said before anything is sent: 50 MB, and 10 MB of a picture', () => {
  for (const mime of ['application/pdf', 'video/mp4', 'audio/mpeg']) {
    expect(whyNot(mime, 50 * MB)).toBeNull()
    expect(whyNot(mime, 50 * MB + 1)).toMatch(/de até 50(,0)? MB/)
  }
  expect(whyNot('image/jpeg', 10 * MB)).toBeNull()
  expect(whyNot('image/jpeg', 10 * MB + 1)).toMatch(/de até 10(,0)? MB/)
})

test('nobody is told that a message was delivered or read', () => {
  expect(receipts).toEqual([])
})
