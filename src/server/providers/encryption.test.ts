import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ProviderFields } from '#kit/provider.ts'
import type { Platform } from '../platform.ts'
import { secretsFrom } from '../secrets.ts'
import { encryptionAt, settingsWithSecret } from './encryption.ts'

const fields = {
  host: { kind: 'text', label: 'Servidor', max: 80, required: true, missing: 'Informe o servidor.', asksAgain: true },
  key: { kind: 'secret', label: 'Chave', max: 80 },
} as const satisfies ProviderFields

const platform: Pick<Platform, 'secrets'> = { secrets: secretsFrom(randomBytes(32)) }
const encryption = encryptionAt(platform, '5/settings/mail')
const settings = settingsWithSecret(fields, 'key')
const stored = { host: 'a.example', sealed: encryption.encrypt('segredo-1234'), hint: '1234' }

test('settings stored with their only secret beside the values are read, with the secret in the clear', () => {
  expect(settings.plain(encryption, stored)).toEqual({ host: 'a.example', key: 'segredo-1234' })
  const older = { host: 'a.example', sealed: stored.sealed }
  expect(settings.plain(encryption, older)).toEqual({ host: 'a.example', key: 'segredo-1234' })
  expect(() => settings.plain(encryptionAt(platform, '6/settings/mail'), stored)).toThrow()
})

test('a secret that is left out or masked stays; an empty one goes, another one is encrypted', () => {
  const after = (entered: string | undefined) => settings.merge(encryption, stored, { host: 'a.example' }, { entered })
  const remaining = { sealed: stored.sealed, hint: '1234' }
  expect(after(undefined)).toEqual(remaining)
  expect(after('••••1234')).toEqual(remaining)
  expect(after('')).toEqual({ sealed: null, hint: null })
  const other = after('um-outro-segredo-longo-5678')
  expect(other.hint).toBe('5678')
  expect(settings.plain(encryption, { ...stored, ...other })).toMatchObject({ key: 'um-outro-segredo-longo-5678' })
})

test('it is asked for again where it would go elsewhere; active settings must be complete', () => {
  const merged = (host: string, isActive = false) =>
    settings.merge(encryption, stored, { host }, { entered: undefined, isActive })
  expect(() => merged('b.example')).toThrow(expect.objectContaining({ details: { key: 'Informe o segredo de novo.' } }))
  expect(() => merged('', true)).toThrow(expect.objectContaining({ details: { host: 'Informe o servidor.' } }))
})
