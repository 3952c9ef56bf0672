import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { environment, plays, readEnv } from './env.ts'

describe('environment', () => {
  it('has defaults for everything', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      DEMO: false,
      ROLES: [],
      LOOP_LIMIT_MS: 10_000,
      RATE_LIMITS: true,
    })
  })

  it.each([
    ['PORT', '70000'],
    ['PORT', 'x'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'postgres'],
    ['APP_DATABASE_URL', 'postgres://a:50%@b/c'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['DEMO', 'talvez'],
    ['SECRET_KEY', 'short'],
    ['ROLES', 'web,cook'],
    ['LOG_LEVEL', 'loud'],
    ['DB_ROLE_PREFIX', 'a;drop'],
    ['OUTBOUND_ALLOW', '10.0.0.0/8,rede'],
  ])('refuses %s=%s by name', (key, value) => {
    expect(() => readEnv({ [key]: value })).toThrow(
      new RegExp(`^Corrija as variáveis de ambiente: ${key} deve ser [^;]+\\.$`),
    )
  })

  it('names all that is wrong in one sentence and repeats no value, which may be a secret', () => {
    expect(() => readEnv({ PORT: 'x', SECRET_KEY: 'abc' })).toThrow(
      'Corrija as variáveis de ambiente: PORT deve ser um número de 0 a 65535; SECRET_KEY deve ser 64 dígitos hexadecimais.',
    )
  })

  it('keeps the demo on the local address', () => {
    expect(() => readEnv({ DEMO: '1', HOST: '0.0.0.0' })).toThrow('DEMO_PUBLIC=1')
    expect(readEnv({ DEMO: '1', HOST: '0.0.0.0', DEMO_PUBLIC: '1' }).DEMO).toBe(true)
  })

  it('plays every role unless some are named', () => {
    expect(plays(readEnv({}), 'worker')).toBe(true)
    expect(plays(readEnv({ ROLES: 'web, channels' }), 'worker')).toBe(false)
  })

  it('is the table of docs/settings.md, variable by variable', () => {
    const text = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm)].map(([, name, , meaning]) => [
      name,
      meaning,
    ])
    expect(rows).toEqual(Object.entries(environment.shape).map(([name, schema]) => [name, schema.description]))
  })

  it.each(Object.entries(readEnv({})))('has the default of %s in that table', (name, value) => {
    const text = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
    const [, written] = new RegExp(`^\\| \`${name}\` \\| \`?(.+?)\`? \\|`, 'm').exec(text) ?? []
    const plain = typeof value === 'boolean' ? Number(value) : Array.isArray(value) ? value.join(',') || '–' : value
    expect(written).toBe(String(plain))
  })

  it('has no default where that table has a dash', () => {
    const text = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
    const dashes = [...text.matchAll(/^\| `([A-Z_]+)` \| – \|/gm)].flatMap(([, name]) => name ?? [])
    const defaults: Record<string, unknown> = readEnv({})
    expect(dashes.filter((name) => ![undefined, ''].includes(defaults[name]?.toString()))).toEqual([])
  })
})
