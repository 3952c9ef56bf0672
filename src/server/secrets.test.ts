import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSecrets, secretsFrom } from './secrets.ts'

describe('the master key', () => {
  let folder = ''
  const file = () => join(folder, 'secret.key')
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guiche-key-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const load = (more: { SECRET_KEY?: string; SECRET_KEY_FILE?: string } = {}) =>
    loadSecrets({ DATA_DIR: folder, SECRET_KEY: undefined, SECRET_KEY_FILE: undefined, ...more })

  it('is made once, for its owner alone, and read again', () => {
    const { keyId } = load()
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readFileSync(file(), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    expect(load().keyId).toBe(keyId)
    expect(readdirSync(folder)).toEqual(['secret.key'])
  })

  it('that others could read is closed to them', () => {
    const { keyId } = load()
    chmodSync(file(), 0o644)
    expect(load().keyId).toBe(keyId)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('comes from the environment or from a file of the operator’s own, which is left as it is', () => {
    const key = randomBytes(32).toString('hex')
    const own = join(folder, 'own.key')
    writeFileSync(own, key.toUpperCase(), { mode: 0o644 })
    const ids = [load({ SECRET_KEY: key }).keyId, load({ SECRET_KEY_FILE: own }).keyId]
    expect(new Set([...ids, secretsFrom(Buffer.from(key, 'hex')).keyId]).size).toBe(1)
    expect(statSync(own).mode & 0o777).toBe(0o644)
    expect(existsSync(file())).toBe(false)
  })

  it.each(['', 'abc', 'z'.repeat(64), `${'a'.repeat(64)}zz`, 'a'.repeat(63), 'a'.repeat(66)])('is not %j', (text) => {
    writeFileSync(file(), text)
    expect(() => load()).toThrow('não tem 64 dígitos hexadecimais')
  })
})

describe('what is encrypted', () => {
  const secrets = secretsFrom(Buffer.alloc(32, 1))
  const place = '7/connections/12'
  const sealed = secrets.encrypt('segredo da loja', place)

  it('is read again in its place, and looks different each time', () => {
    expect(secrets.decrypt(sealed, place)).toBe('segredo da loja')
    expect(sealed).not.toContain('segredo')
    expect(sealed.startsWith(`${secrets.keyId}.`)).toBe(true)
    expect(secrets.encrypt('segredo da loja', place)).not.toBe(sealed)
    expect(secrets.decrypt(secrets.encrypt('', place), place)).toBe('')
  })

  it.each(['8/connections/12', '7/connections/13', '7/integrations/12', ''])('is worth nothing in %j', (elsewhere) => {
    expect(() => secrets.decrypt(sealed, elsewhere)).toThrow()
  })

  it('is worth nothing with another key, which is said', () => {
    const other = secretsFrom(Buffer.alloc(32, 2))
    expect(other.keyId).not.toBe(secrets.keyId)
    expect(() => other.decrypt(sealed, place)).toThrow('Segredo cifrado com outra chave mestra.')
    const renamed = sealed.replace(secrets.keyId, other.keyId)
    expect(() => other.decrypt(renamed, place)).toThrow()
  })

  it('is worth nothing when a single bit of it was changed, or it was cut short', () => {
    const [id, data] = sealed.split('.') as [string, string]
    const raw = Buffer.from(data, 'base64url')
    for (let at = 0; at < raw.length; at++) {
      const changed = Buffer.from(raw)
      changed[at]! ^= 1
      expect(() => secrets.decrypt(`${id}.${changed.toString('base64url')}`, place)).toThrow()
    }
    // A shorter tag would be easier to guess.
    const empty = Buffer.from(secrets.encrypt('', place).split('.')[1]!, 'base64url')
    expect(() => secrets.decrypt(`${id}.${empty.subarray(0, 16).toString('base64url')}`, place)).toThrow()
    for (const length of [0, 12, 16, 20, 24, 27, raw.length - 1])
      expect(() => secrets.decrypt(`${id}.${raw.subarray(0, length).toString('base64url')}`, place)).toThrow()
    for (const nonsense of ['', '.', id, `${id}.`, `.${data}`, 'x.y']) {
      expect(() => secrets.decrypt(nonsense, place)).toThrow()
    }
  })

  it('keys for different purposes have nothing in common', () => {
    const keys = ['encryption', 'files', 'refresh', 'access-token', 'database app'].map((one) =>
      secrets.derive(one).toString('hex'),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})
